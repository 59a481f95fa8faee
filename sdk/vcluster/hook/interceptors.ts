import type { Client } from '../../engine/client/client.js'
import { createClient } from '../../engine/client/create-client.js'
import { originOf } from '../../engine/client/error-origin.js'
import { ApiError, PluginError } from '../../engine/kube/error.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { Counter, Histogram, Metrics } from '../../engine/observe/metrics.js'
import type { Clock } from '../../engine/time/clock.js'
import type { Transport } from '../../engine/transport/transport.js'
import { authorize, identify } from './access.js'
import type { InterceptContext, Interceptor } from './interceptor.js'
import type { InterceptorRule } from './interceptor-rule.js'
import { requestAttributes } from './request-attributes.js'
import { RuleTable } from './rule-table.js'
import { statusResponse } from './status-response.js'

/** Options of {@link Interceptors}. */
export interface InterceptorsOptions {
  interceptors: readonly Interceptor[]
  /** The virtual cluster's API server. */
  virtual: Transport
  logger: Logger
  metrics: Metrics
  clock: Clock
}

/** A plugin's interceptors, by their names: passes each request that vcluster hands over to its interceptor. */
export class Interceptors {
  readonly #interceptors: ReadonlyMap<string, Interceptor>
  readonly #virtual: Transport
  readonly #client: Client
  readonly #logger: Logger
  readonly #clock: Clock
  readonly #total: Counter
  readonly #seconds: Histogram

  constructor({ interceptors, virtual, logger, metrics, clock }: InterceptorsOptions) {
    this.#interceptors = new Map(interceptors.map((interceptor) => [interceptor.name, interceptor]))
    this.#virtual = virtual
    // No write gate: interceptors run on every replica, and their reviews change nothing.
    this.#client = createClient({ transport: virtual })
    this.#logger = logger
    this.#clock = clock
    this.#total = metrics.counter({
      name: 'interceptor_requests_total',
      help: 'Requests that an interceptor answered, by status.',
      labelNames: ['interceptor', 'code'],
    })
    this.#seconds = metrics.histogram({
      name: 'interceptor_duration_seconds',
      help: 'How long an interceptor took until its answer began.',
      labelNames: ['interceptor'],
      buckets: [0.001, 0.01, 0.1, 1, 10, 60],
    })
  }

  /** The registrations with vcluster: the rules of each interceptor, by name; undefined if there are none. */
  get registrations(): Record<string, readonly InterceptorRule[]> | undefined {
    if (this.#interceptors.size === 0) return undefined
    return Object.fromEntries([...this.#interceptors].map(([name, { rules }]) => [name, rules]))
  }

  /** Lets the interceptor with this name answer; never rejects. */
  async handle(name: string, request: Request): Promise<Response> {
    const interceptor = this.#interceptors.get(name)
    if (!interceptor)
      return statusResponse(404, 'NotFound', `the plugin has no interceptor ${JSON.stringify(name)}`)
    const startedMs = this.#clock.now()
    const response = await this.#answer(interceptor, request)
    this.#total.add({ interceptor: name, code: String(response.status) })
    this.#seconds.observe({ interceptor: name }, (this.#clock.now() - startedMs) / 1000)
    return response
  }

  async #answer(interceptor: Interceptor, request: Request): Promise<Response> {
    const { name } = interceptor
    const logger = this.#logger.child({ interceptor: name })
    try {
      const response: unknown = await interceptor.handle(request, this.#contextOf(request, logger))
      if (response instanceof Response) return response
      throw new TypeError(
        `it returned a ${typeof response}; return a Response, your own or that of ctx.forward`,
      )
    } catch (error) {
      if (isForCaller(error)) return statusResponse(refusalCode(error), error.reason, error.message)
      const { pathname: path } = new URL(request.url)
      if (!request.signal.aborted)
        logger.error({ method: request.method, path, error }, 'an interceptor failed')
      return statusResponse(500, 'InternalError', `interceptor ${name} failed; the plugin's log says why`)
    }
  }

  #contextOf(request: Request, logger: Logger): InterceptContext {
    const attributes = requestAttributes(request)
    return {
      logger,
      attributes,
      forward: async (passed, options) => {
        // Loaded only when needed: the module extends the `Response` of Node's fetch, which takes time to load.
        const { forward } = await import('./forward.js')
        return forward(this.#virtual, passed, options)
      },
      identify: (token) => identify(this.#client, token),
      authorize: (caller, requested = attributes) => authorize(this.#client, caller, requested),
    }
  }
}

/** Errors of the host are not for tenants: their messages name its namespaces and objects. */
const isForCaller = (error: unknown): error is ApiError =>
  error instanceof ApiError && originOf(error) !== 'host'

const refusalCode = ({ code }: ApiError) => (code >= 400 && code < 600 ? code : 500)

/**
 * Checks that vcluster will accept all of these interceptors together. vcluster adds them in an order of its own, so
 * any two must be accepted in both orders. Throws `PluginError` with code `INVALID_RULE`, in vcluster's words.
 */
export function checkTogether(interceptors: readonly Interceptor[]): void {
  checkInOrder(interceptors)
  for (const interceptor of interceptors)
    for (const other of interceptors) if (interceptor !== other) checkInOrder([interceptor, other])
}

function checkInOrder(interceptors: readonly Interceptor[]): void {
  const table = new RuleTable<Interceptor>()
  for (const interceptor of interceptors) {
    const { name, rules } = interceptor
    for (const rule of rules) {
      const problem = table.add(rule, interceptor)
      if (problem === undefined) continue
      const others = interceptors
        .filter((interceptor) => interceptor.name !== name)
        .map((interceptor) => interceptor.name)
      const context = others.length > 0 ? ` (together with ${others.join(', ')})` : ''
      throw new PluginError('INVALID_RULE', `interceptor ${name}${context}: ${problem}`)
    }
  }
}
