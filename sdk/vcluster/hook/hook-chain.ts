import { explainFrozen } from '../../engine/kube/frozen-error.js'
import { freezeJson, jsonEqual, parseJson } from '../../engine/kube/json.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { apiVersionOf } from '../../engine/kube/resource.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { Counter, Histogram, Metrics } from '../../engine/observe/metrics.js'
import { processTracing } from '../../engine/observe/tracing.js'
import { type Clock, sleep } from '../../engine/time/clock.js'
import { withOwnSignal } from '../../engine/time/own-signal.js'
import { checkResult } from './check-result.js'
import { type ClientHook, type HookType, hookTypes, methodOf } from './client-hook.js'
import { encodeForGoUnmarshal } from './encode-for-go-unmarshal.js'
import { describeFailure, HookCancelledError, HookTimeoutError } from './hook-failure.js'

/** Options of {@link HookChain}. */
export interface HookChainOptions {
  /** The hooks, in the order in which they run. */
  hooks: readonly ClientHook[]
  logger: Logger
  metrics: Metrics
  clock: Clock
  /** How long one hook may take, in milliseconds; default 8,000. vcluster waits 10 s for all hooks of a plugin. */
  timeoutMs?: number
}

/** The hook types that a plugin handles for one kind. */
export interface HookRegistration {
  /** `v1` or `group/version`. */
  apiVersion: string
  kind: string
  types: HookType[]
}

/** A call of vcluster with an object that hooks may change. */
export interface MutateCall {
  apiVersion: string
  kind: string
  /** A {@link HookType}; an unknown type has no hooks. */
  type: string
  /** The object as JSON. */
  object: string
}

/** The object that vcluster continues with. */
export interface MutateAnswer {
  /** The object as JSON, in the form that Go's decoder needs; `''` when nothing changed. */
  object: string
  mutated: boolean
}

/** Runs the hooks of a plugin, one after the other, when vcluster calls; the servers of `remote/` pass its calls on. */
export class HookChain {
  readonly #hooks: readonly ClientHook[]
  readonly #logger: Logger
  readonly #clock: Clock
  readonly #timeoutMs: number
  readonly #total: Counter
  readonly #seconds: Histogram
  readonly #tracing = processTracing()

  constructor({ hooks, logger, metrics, clock, timeoutMs = 8000 }: HookChainOptions) {
    this.#hooks = hooks
    this.#logger = logger
    this.#clock = clock
    this.#timeoutMs = timeoutMs
    const labelNames = ['hook', 'type']
    this.#total = metrics.counter({
      name: 'hook_calls_total',
      help: 'Calls of a hook, by what it did with the object.',
      labelNames: [...labelNames, 'result'],
    })
    this.#seconds = metrics.histogram({
      name: 'hook_duration_seconds',
      help: 'How long a hook took.',
      labelNames,
      buckets: [0.001, 0.01, 0.1, 1, 5, 10],
    })
  }

  /** The registrations with vcluster: each kind once, with every type that some hook has a method for. */
  get registrations(): HookRegistration[] {
    const byKind = new Map<string, HookRegistration>()
    for (const hook of this.#hooks) {
      const { kind } = hook.resource
      const apiVersion = apiVersionOf(hook.resource)
      const registration = byKind.get(`${apiVersion} ${kind}`) ?? { apiVersion, kind, types: [] }
      const types = hookTypes.filter((type) => registration.types.includes(type) || methodOf(hook, type))
      byKind.set(`${apiVersion} ${kind}`, { ...registration, types })
    }
    return [...byKind.values()].filter(({ types }) => types.length > 0)
  }

  /**
   * Passes an object through the hooks of its kind and type. Rejects, with a message for vcluster's log and Events, if
   * a hook throws, takes too long, or returns an invalid result: a value that is not an object, an object with another
   * kind, name or namespace, or an object that is too large.
   */
  async mutate(call: MutateCall, { signal }: { signal: AbortSignal }): Promise<MutateAnswer> {
    const before = readObject(call)
    let object = before
    for (const hook of this.#hooksFor(call)) object = await this.#runTraced(hook, call, { object, signal })
    if (jsonEqual(before, object)) return { object: '', mutated: false }
    return { object: encodeForGoUnmarshal(before, object), mutated: true }
  }

  #hooksFor({ apiVersion, kind, type }: MutateCall): ClientHook[] {
    return this.#hooks.filter(
      (hook) =>
        hook.resource.kind === kind &&
        apiVersionOf(hook.resource) === apiVersion &&
        methodOf(hook, type as HookType) !== undefined,
    )
  }

  #runTraced(
    hook: ClientHook,
    call: MutateCall,
    input: { object: KubeObject; signal: AbortSignal },
  ): Promise<KubeObject> {
    if (!this.#tracing) return this.#run(hook, call, input)
    const { namespace = '', name = '' } = input.object.metadata
    const attributes = {
      hook: hook.name,
      type: call.type,
      kind: call.kind,
      'k8s.namespace.name': namespace,
      'k8s.object.name': name,
    }
    return this.#tracing.span({ name: `hook ${hook.name}`, kind: 'server', attributes }, () =>
      this.#run(hook, call, input),
    )
  }

  async #run(
    hook: ClientHook,
    call: MutateCall,
    { object, signal }: { object: KubeObject; signal: AbortSignal },
  ): Promise<KubeObject> {
    const labels = { hook: hook.name, type: call.type }
    const startedMs = this.#clock.now()
    try {
      const returned = await this.#runInTime(hook, call, { object, signal })
      const result = returned === undefined ? object : checkResult(returned, object)
      this.#total.add({ ...labels, result: jsonEqual(object, result) ? 'unchanged' : 'changed' })
      return result
    } catch (error) {
      throw this.#reportFailure(hook, call, { object, error })
    } finally {
      this.#seconds.observe(labels, (this.#clock.now() - startedMs) / 1000)
    }
  }

  /** Calls the method of the hook. Rejects after the time limit, and aborts the signal of the hook. */
  async #runInTime(
    hook: ClientHook,
    { type }: MutateCall,
    { object, signal }: { object: KubeObject; signal: AbortSignal },
  ): Promise<unknown> {
    const hookType = type as HookType
    const logger = this.#logger.child({ hook: hook.name, type })
    const hookEnded = new AbortController()
    return withOwnSignal(signal, async (abortController) => {
      const timeout = sleep(this.#clock, this.#timeoutMs, hookEnded.signal).then(() => {
        const error = new HookTimeoutError(this.#timeoutMs)
        abortController.abort(error)
        throw error
      })
      // The promise that loses the race must not count as an unhandled rejection.
      timeout.catch(() => {})
      const { signal: ownSignal } = abortController
      const ctx = { type: hookType, logger, signal: ownSignal }
      try {
        return await Promise.race([methodOf(hook, hookType)?.(ctx, freezeJson(object)), timeout])
      } catch (error) {
        // A hook that is aborted by the timeout may reject before the timeout does.
        if (ownSignal.reason instanceof HookTimeoutError) throw ownSignal.reason
        throw signal.aborted ? new HookCancelledError('vcluster no longer waits', { cause: error }) : error
      } finally {
        hookEnded.abort()
      }
    })
  }

  /** Logs and counts a call that failed, and returns the error for vcluster. */
  #reportFailure(
    { name: hookName }: ClientHook,
    { kind, type }: MutateCall,
    { object, error: thrown }: { object: KubeObject; error: unknown },
  ): Error {
    const { namespace = '', name = '' } = object.metadata ?? {}
    const error = explainFrozen(thrown, `hook ${hookName}, mutate${type}`)
    const objectText = `${kind} ${namespace && `${namespace}/`}${name}`
    const { result, logText, text } = describeFailure(error, {
      hook: hookName,
      call: `${type} of ${objectText}`,
    })
    this.#total.add({ hook: hookName, type, result })
    this.#logger.warn({ hook: hookName, type, object: objectText, error }, logText)
    return new Error(text, { cause: error })
  }
}

/** Parses and checks the object of a call; no other code checks it. */
function readObject({ type, kind, object }: MutateCall): KubeObject {
  const input = parseObject(object)
  const { metadata } = Object(input) as { metadata?: unknown }
  if (typeof metadata === 'object' && metadata !== null) return input as KubeObject
  const callText = `vcluster asked the plugin's hooks for ${type} of ${kind}`
  throw new Error(
    `${callText} with something that is not an object with metadata; is it newer than this SDK?`,
  )
}

function parseObject(object: string): unknown {
  try {
    return parseJson(object)
  } catch {
    // The parser's message would quote the object, which may be a Secret.
    return undefined
  }
}
