import { GrpcError } from '../../engine/grpc/grpc-error.js'
import { GrpcStatus, statusName } from '../../engine/grpc/status.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { Metrics } from '../../engine/observe/metrics.js'
import type { Clock } from '../../engine/time/clock.js'
import type { Call } from './call.js'
import { HookError } from './hook-error.js'
import type { ServedMethod } from './service.js'

/** The failure of a call as it is sent to the caller. */
export interface CallFailure {
  /** A number of `GrpcStatus`. */
  readonly code: number
  readonly details: string
}

/** A finished call, with the bytes of its request and its answer. */
export interface CallEnd {
  readonly method: ServedMethod
  /** Service and method, such as `OperatorLifecycle/LifecycleHook`. */
  readonly name: string
  readonly request: Buffer
  readonly answer: Buffer | CallFailure
  /** The value that a hook threw; undefined if none did. */
  readonly error: unknown
  readonly durationMs: number
}

/** Options of {@link CallRunner}. */
export interface CallRunnerOptions {
  plugin: string
  logger: Logger
  metrics: Metrics
  clock: Clock
  /** Called after each call. */
  onEnd?: (end: CallEnd) => void
}

/**
 * The time limit of a call, in milliseconds. The operator waits for 30 s, so it still gets the message of the plugin.
 */
const limitMs = 25_000

/** The largest message that the operator and instances receive, in bytes. */
const maxAnswerBytes = 4 * 2 ** 20

/** The methods without a time limit: they transfer files, and their callers set no limit, either. */
const unlimitedMethods =
  /^\/cnpgi\.(wal\.v1\.WAL\/(Archive|Restore)|backup\.v1\.Backup\/Backup|wal\.v1\.RestoreJobHooks\/Restore)$/

/** Runs calls with a time limit, log lines, metrics and error texts, and ends them when the plugin stops. */
export class CallRunner {
  readonly #options: CallRunnerOptions
  readonly #calls
  readonly #seconds
  readonly #running = new Set<AbortController>()
  /** Resolved when no call runs any more; `stop` waits for it. */
  #whenIdle: (() => void)[] = []
  /** The methods whose hooks have not returned, also after their callers got an error. */
  readonly #hooks = new Map<Promise<Buffer>, string>()
  #isStopping = false

  constructor(options: CallRunnerOptions) {
    this.#options = options
    this.#calls = options.metrics.counter({
      name: 'cnpg_plugin_calls_total',
      help: 'Calls of the operator, of instances and of webhooks, by method and gRPC status.',
      labelNames: ['method', 'code'],
    })
    this.#seconds = options.metrics.histogram({
      name: 'cnpg_plugin_call_duration_seconds',
      help: 'Time of the calls of the operator, of instances and of webhooks.',
      labelNames: ['method'],
    })
  }

  /** Throws {@link HookError} `UNAVAILABLE` once the plugin stops. */
  checkOpen(): void {
    if (!this.#isStopping) return
    throw new HookError(`plugin ${this.#options.plugin} is stopping`, { code: 'UNAVAILABLE' })
  }

  /** The methods whose hooks have not returned. */
  get unfinished(): readonly string[] {
    return [...new Set(this.#hooks.values())].sort()
  }

  /** Runs a call. Returns the bytes of the response, or the failure; never rejects. */
  async run(method: ServedMethod, request: Buffer, cancelled?: AbortSignal): Promise<Buffer | CallFailure> {
    const { clock } = this.#options
    const startMs = clock.now()
    const name = methodName(method)
    let error: unknown
    const answer = await this.#answer(method, request, cancelled).catch((thrown: unknown) => {
      error = thrown
      return this.#failure(name, thrown)
    })
    const code = Buffer.isBuffer(answer) ? GrpcStatus.OK : answer.code
    const durationMs = clock.now() - startMs
    this.#calls.add({ method: name, code: statusName(code) })
    this.#seconds.observe({ method: name }, durationMs / 1000)
    this.#options.onEnd?.({ method, name, request, answer, error, durationMs })
    return answer
  }

  /** Refuses new calls, waits for the running ones, and aborts them at the deadline. */
  async stop(deadlineMs: number): Promise<void> {
    this.#isStopping = true
    if (this.#running.size === 0) return
    const idle = new Promise<void>((resolve) => {
      this.#whenIdle.push(resolve)
    })
    const cancel = this.#options.clock.schedule(deadlineMs, () => {
      const reason = new HookError(`plugin ${this.#options.plugin} has stopped`, { code: 'UNAVAILABLE' })
      for (const call of this.#running) call.abort(reason)
    })
    await idle
    cancel()
  }

  /** Runs a call until its hook returns, its caller gives up, its time is over, or the plugin stops. */
  async #answer(method: ServedMethod, request: Buffer, cancelled?: AbortSignal): Promise<Buffer> {
    this.checkOpen()
    cancelled?.throwIfAborted()
    const abort = new AbortController()
    const { signal } = abort
    const cancel = () => abort.abort(cancelled?.reason)
    cancelled?.addEventListener('abort', cancel, { once: true })
    const cancelLimit = unlimitedMethods.test(method.path) ? () => {} : this.#limit(method.path, abort)
    this.#running.add(abort)
    try {
      const logger = this.#options.logger.child({ method: method.path })
      const answer = await Promise.race([
        this.#runHook(method, request, { logger, signal }),
        rejectOnAbort(signal),
      ])
      this.#checkSize(method.path, answer)
      return answer
    } catch (error) {
      // A hook may reject before the race does, with an error of its own about the aborted signal.
      throw signal.aborted ? signal.reason : error
    } finally {
      cancelLimit()
      cancelled?.removeEventListener('abort', cancel)
      abort.abort()
      this.#running.delete(abort)
      if (this.#running.size === 0) for (const resolve of this.#whenIdle.splice(0)) resolve()
    }
  }

  /** Runs the hook, and notes it for as long as it runs. */
  #runHook(method: ServedMethod, request: Buffer, call: Call): Promise<Buffer> {
    const running = method.call(request, call)
    this.#hooks.set(running, methodName(method))
    const ended = () => void this.#hooks.delete(running)
    running.then(ended, ended)
    return running
  }

  /** Throws for an answer that the operator would not receive. */
  #checkSize(path: string, { length }: Buffer): void {
    if (length <= maxAnswerBytes) return
    const size = (length / 2 ** 20).toFixed(1)
    const message = `plugin ${this.#options.plugin} answers ${path} with ${size} MiB, but the operator takes 4 MiB: change less`
    throw new HookError(message, { code: 'INTERNAL' })
  }

  /** Aborts a call after its time limit. Returns a function that cancels the limit. */
  #limit(path: string, abort: AbortController): () => void {
    const message = `plugin ${this.#options.plugin} did not answer ${path} within ${limitMs / 1000} s; pass ctx.signal to calls that wait`
    const late = () => abort.abort(new HookError(message, { code: 'DEADLINE_EXCEEDED' }))
    return this.#options.clock.schedule(limitMs, late)
  }

  /** Logs why a call failed, and converts it to the status for the caller. */
  #failure(method: string, error: unknown): CallFailure {
    const { plugin, logger } = this.#options
    if (error instanceof GrpcError) {
      const { code, details } = error
      logger.debug({ method, code: statusName(code), reason: details }, 'the caller no longer waits')
      return { code, details }
    }
    if (error instanceof HookError) {
      logger.warn({ method, code: error.code, reason: error.message, error: error.cause }, 'a call failed')
      return { code: error.grpcStatus, details: error.message }
    }
    logger.error({ method, error }, 'a hook threw an error')
    // The message may contain secrets, and the details are shown in the Cluster.
    const type = error instanceof Error ? error.constructor.name : typeof error
    const details = `plugin ${plugin} failed in ${method} (${type}); the log of the plugin has the message`
    return { code: GrpcStatus.INTERNAL, details }
  }
}

/** Service and method without their package. */
export const methodName = ({ path }: Pick<ServedMethod, 'path'>): string =>
  path.slice(path.lastIndexOf('.', path.lastIndexOf('/')) + 1)

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}
