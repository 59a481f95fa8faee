import type { Verb } from '../hooks/verb.js'
import { CallContext, type ContextPlugin, type ContextSubject } from './call-context.js'
import type { ObjectContext } from './contexts.js'

/** The context of a hook for objects. */
export class ObjectCallContext<P = Record<string, string>>
  extends CallContext<P>
  implements ObjectContext<P>
{
  /** The operation of the operator. */
  readonly verb: Verb

  constructor(plugin: ContextPlugin<P>, subject: ContextSubject, verb: Verb) {
    super(plugin, subject)
    this.verb = verb
  }
}
