/**
 * Stops writes that cannot succeed. Where a cluster refuses not this object but all of a kind (a quota is used up, a
 * right was taken away) or everything (it is overloaded), the first refusal opens a circuit: later writes of the same
 * sort fail at once, without a call, and one of them tries again after a while.
 *
 * It promises one call per circuit and try, tries that come less and less often up to once a minute, and that
 * reads, and writes of another sort, go on.
 */
import { isForbidden, isTooManyRequests, isUnauthorized } from '../kube/error.js'
import type { Clock } from '../observe/clock.js'
import type { Logger } from '../observe/logger.js'
import type { Metrics } from '../observe/metrics.js'
import type { TransportRequest } from '../transport/transport.js'

/** A write was not sent, because the cluster refuses all of its sort; `retryInMs` milliseconds from now one may be. */
export class CircuitOpenError extends Error {
  override readonly name = 'CircuitOpenError'
  readonly retryInMs: number

  constructor(message: string, { retryInMs, cause }: { retryInMs: number; cause?: unknown }) {
    super(message, { cause })
    this.retryInMs = retryInMs
  }
}

/** What a write is, as far as its fate is shared by others. */
export interface WriteSort {
  readonly method: TransportRequest['method']
  /** The path of the collection that is written to. */
  readonly collection: string
  /** The part of an object that is written to; `''` for the object. */
  readonly subresource: string
}

/** Options of {@link CircuitBreaker}. */
export interface CircuitBreakerOptions {
  /** Which cluster, for logs and metrics. */
  cluster: string
  clock: Clock
  logger: Logger
  metrics: Metrics
}

interface Circuit {
  readonly why: string
  /** From then on one write may try. */
  readonly retryAtMs: number
  readonly waitMs: number
  isTrying: boolean
}

const firstWaitMs = 1000
const longestWaitMs = 60_000

/** The circuits of one cluster; see above. */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions
  readonly #open = new Map<string, Circuit>()

  constructor(options: CircuitBreakerOptions) {
    this.#options = options
    options.metrics.gauge({
      name: 'sync_open_circuits',
      help: 'Sorts of writes that are held back because the cluster refuses all of them.',
      labelNames: ['cluster'],
      follow: (gauge) => gauge.set({ cluster: options.cluster }, this.#open.size),
    })
  }

  /**
   * Sends a write unless its circuit is open; throws {@link CircuitOpenError} then. The refusal that opens a circuit is
   * thrown as it came, so that one object's Event tells of it.
   */
  async run<T>(sort: WriteSort, send: () => Promise<T>): Promise<T> {
    const ids = circuitsOf(sort)
    for (const id of ids) this.#refuseIfOpen(id)
    for (const id of ids) this.#setTrying(id, true)
    try {
      const answer = await send()
      for (const id of ids) this.#close(id)
      if (sort.method === 'DELETE') this.#close(`quota ${sort.collection}`)
      return answer
    } catch (error) {
      throw this.#failed(sort, error)
    } finally {
      for (const id of ids) this.#setTrying(id, false)
    }
  }

  #refuseIfOpen(id: string): void {
    const circuit = this.#open.get(id)
    if (!circuit) return
    const retryInMs = circuit.retryAtMs - this.#options.clock.now()
    if (retryInMs <= 0 && !circuit.isTrying) return
    throw isOpen(circuit, { retryInMs: Math.max(retryInMs, firstWaitMs) })
  }

  #setTrying(id: string, isTrying: boolean): void {
    const circuit = this.#open.get(id)
    if (circuit) circuit.isTrying = isTrying
  }

  /** What to throw for a failed write, after its circuit was opened or kept open. */
  #failed(sort: WriteSort, error: unknown): unknown {
    const id = refusedCircuit(sort, error)
    if (id === undefined || !(error instanceof Error)) return error
    const known = this.#open.get(id)
    // Writes that were under way together are refused together: only the one that tries counts.
    const circuit = known && !known.isTrying ? known : this.#opened(id, error, known?.waitMs)
    return known ? isOpen(circuit, { retryInMs: circuit.waitMs, cause: error }) : error
  }

  #opened(id: string, error: Error, waitedMs = firstWaitMs / 2): Circuit {
    const { clock, logger, cluster } = this.#options
    const waitMs = Math.min(waitedMs * 2, longestWaitMs)
    const circuit = { why: error.message, retryAtMs: clock.now() + waitMs, waitMs, isTrying: false }
    const isNews = !this.#open.has(id)
    this.#open.set(id, circuit)
    if (isNews)
      logger.warn(
        { cluster, writes: id, error },
        'the cluster refuses all writes of this sort; holding them back',
      )
    return circuit
  }

  #close(id: string): void {
    if (!this.#open.delete(id)) return
    const { logger, cluster } = this.#options
    logger.info({ cluster, writes: id }, 'the cluster accepts writes of this sort again')
  }
}

function isOpen({ why }: Circuit, options: { retryInMs: number; cause?: unknown }): CircuitOpenError {
  return new CircuitOpenError(`not sent, because the cluster refused the like of it: ${why}`, options)
}

/** The circuits that a write passes. */
function circuitsOf(sort: WriteSort): string[] {
  const isCreate = sort.method === 'POST' && sort.subresource === ''
  return ['all', rightsCircuit(sort), ...(isCreate ? [`quota ${sort.collection}`] : [])]
}

function rightsCircuit({ method, collection, subresource }: WriteSort): string {
  return `${method} ${collection}${subresource && ` ${subresource}`}`
}

/** Which circuit a refusal opens; `undefined` where it was about the object. */
function refusedCircuit(sort: WriteSort, error: unknown): string | undefined {
  // An eviction that would disturb an application is refused with 429, too.
  if (isTooManyRequests(error)) return sort.subresource === '' ? 'all' : undefined
  // Who is nobody to the cluster may write nothing, until its credentials are renewed.
  if (isUnauthorized(error)) return 'all'
  if (!isForbidden(error)) return undefined
  if (/\bexceeded quota\b/.test(error.message)) return `quota ${sort.collection}`
  return /\bcannot \w+ resource\b/.test(error.message) ? rightsCircuit(sort) : undefined
}
