import { CallContext, type ContextPlugin, type ContextSubject } from './call-context.js'
import type { ObjectContext } from './contexts.js'
import type { ObjectVerb } from './verb.js'

/** The context of a hook for objects. */
export class ObjectCallContext<P = Record<string, string>>
  extends CallContext<P>
  implements ObjectContext<P>
{
  /** The operation of the operator. */
  readonly verb: ObjectVerb

  constructor(plugin: ContextPlugin<P>, subject: ContextSubject, verb: ObjectVerb) {
    super(plugin, subject)
    this.verb = verb
  }
}
