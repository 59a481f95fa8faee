import type { Verb } from '../hooks/verb.js'
import { type ContextPlugin, type ContextSubject, HookContext } from './hook-context.js'

/** The context of a hook for objects. */
export class ObjectContext<P = Record<string, string>> extends HookContext<P> {
  /** The operation of the operator. */
  readonly verb: Verb

  constructor(plugin: ContextPlugin<P>, subject: ContextSubject, verb: Verb) {
    super(plugin, subject)
    this.verb = verb
  }
}
