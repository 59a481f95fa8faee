import { groupOfApiVersion } from '../../engine/kube/api-version.js'
import { cloneJson, jsonEqual } from '../../engine/kube/json.js'
import type { PatchOperation } from '../../engine/kube/json-patch/operation.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { ContextSubject } from '../context/call-context.js'
import { ObjectCallContext } from '../context/object-call-context.js'
import type { ObjectVerb } from '../context/verb.js'
import type { ObjectHandler } from '../hooks/object-hook.js'
import { asJson } from '../patch/as-json.js'
import { checkedPatch, firstPath, internalError } from '../patch/checked-patch.js'
import type { RegisteredHooks } from './registered-hooks.js'

/** How often hooks run a second time, to find hooks that are not deterministic or not idempotent. */
export type Trial = 'always' | 'sampled' | 'never'

/** With `sampled`, hooks run a second time in one of this many calls, beginning with the first call. */
const callsPerSample = 100

/** Makes patches of objects by the hooks of a plugin. */
export class ObjectPatches<P> {
  readonly #hooks: RegisteredHooks<P>
  readonly #trial: Trial
  #calls = 0

  constructor(hooks: RegisteredHooks<P>, trial: Trial) {
    this.#hooks = hooks
    this.#trial = trial
  }

  /**
   * The patch that the hooks make of an object; empty if they change nothing or if there are none. Hooks that are not
   * deterministic or not idempotent fail the call with `always`, and are logged with `sampled`.
   */
  async patchOf(subject: ContextSubject, verb: ObjectVerb, object: KubeObject): Promise<PatchOperation[]> {
    const handlers = this.#handlers(verb, object)
    if (handlers.length === 0) return []
    const changed = await this.#run(handlers, subject, verb, object)
    const patch = checkedPatch(object, changed)
    if (verb === 'EVALUATE' && this.#isTried())
      await this.#checkRepeatable(handlers, subject, { object, changed })
    return patch
  }

  /** The hooks for a verb and the kind of an object, in the order of their registration. */
  #handlers(
    verb: ObjectVerb,
    { apiVersion = '', kind = '' }: KubeObject,
  ): readonly ObjectHandler<KubeObject, P>[] {
    return this.#hooks.kinds.get(`${kind}.${groupOfApiVersion(apiVersion)}`)?.handlers.get(verb) ?? []
  }

  /** Runs hooks one after the other on a copy of the object. */
  async #run(
    handlers: readonly ObjectHandler<KubeObject, P>[],
    subject: ContextSubject,
    verb: ObjectVerb,
    object: KubeObject,
  ): Promise<KubeObject> {
    const ctx = new ObjectCallContext(this.#hooks, subject, verb)
    let draft = cloneJson(object)
    for (const handler of handlers) draft = (await handler(ctx, draft)) ?? draft
    // The copy shares nothing with objects that the hook may keep.
    return asJson(draft)
  }

  /** Whether the hooks of this call run a second time. */
  #isTried(): boolean {
    if (this.#trial === 'sampled') return this.#calls++ % callsPerSample === 0
    return this.#trial === 'always'
  }

  /** Runs the hooks again, on the same input and on their own output. Both runs must change nothing more. */
  async #checkRepeatable(
    handlers: readonly ObjectHandler<KubeObject, P>[],
    subject: ContextSubject,
    { object, changed }: { object: KubeObject; changed: KubeObject },
  ): Promise<void> {
    const secondResult = await this.#run(handlers, subject, 'EVALUATE', object)
    if (!jsonEqual(secondResult, changed)) {
      const problem = `${firstPath(changed, secondResult)} differs between two runs of the hook for the same Pod`
      return this.#report(subject, object, `${problem}; ${restarts}. ${sameAnswer}`)
    }
    const resultOfOutput = await this.#run(handlers, subject, 'EVALUATE', changed)
    if (jsonEqual(resultOfOutput, changed)) return
    const problem = `${firstPath(changed, resultOfOutput)} is changed again by the hook when it gets its own output`
    this.#report(subject, object, `${problem}; ${restarts}. ${addOnce}`)
  }

  /** Fails the call with `always`, and logs the problem otherwise. */
  #report(subject: ContextSubject, object: KubeObject, problem: string): void {
    const error = internalError(object, problem)
    if (this.#trial === 'always') throw error
    subject.call.logger.error({ verb: 'EVALUATE' }, error.message)
  }
}

const restarts = 'the operator would restart Pods of the Cluster again and again'
const sameAnswer = 'Give the same Pod the same answer, without times, random values and counters'
const addOnce = 'Add a part only if the Pod does not have it'
