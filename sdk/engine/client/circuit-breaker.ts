/**
 * Stops writes that cannot succeed. If a cluster refuses not only this object but all of a kind (a quota is used up, a
 * permission was removed) or everything (it is overloaded), a circuit opens: later writes of this kind fail at once,
 * without a call, and one of them tries again after a while.
 *
 * One author's writes never stop the writes of others: the first refusal concerns only its object, a second refused
 * object of the same origin opens a circuit for that origin, and only a refusal of another origin opens it for all; see
 * {@link Witnesses}. Objects and origins that were not refused yet try first.
 *
 * It promises one call per circuit and try. The pauses between tries grow up to one minute, or two minutes for an
 * object or origin that was refused already. Reads, and writes of another sort, go on.
 */
import { formatKey } from '../kube/key.js'
import { RetryLaterError } from '../kube/retry-later-error.js'
import type { Logger } from '../observe/logger.js'
import type { Metrics } from '../observe/metrics.js'
import type { Clock } from '../time/clock.js'
import { circuitsOf, quotaCircuit, refusedCircuit, type WriteSort } from './refused-circuit.js'
import { Witnesses } from './witnesses.js'

/**
 * A write was not sent, because the cluster is rejecting all writes of this kind. Another try is possible after
 * `retryInMs` milliseconds.
 */
export class CircuitOpenError extends RetryLaterError {
  override readonly name = 'CircuitOpenError'
  readonly retryInMs: number

  constructor(message: string, { retryInMs, cause }: { retryInMs: number; cause?: unknown }) {
    super(message, { cause })
    this.retryInMs = retryInMs
  }
}

/** Names the origin that a write is made for. It must not depend on anything that an author can choose. */
export type OriginOf = (write: WriteSort) => string

/** Options of {@link CircuitBreaker}. */
export interface CircuitBreakerOptions {
  /** The name of the cluster, for logs and metrics. */
  cluster: string
  clock: Clock
  logger: Logger
  metrics: Metrics
  /**
   * The origin of a write: refused writes of one origin alone never hold back those of another. It must not depend on
   * anything that an author can choose. Default: the object's namespace, or a cluster-scoped object itself.
   */
  originOf?: OriginOf
}

interface Circuit {
  readonly why: string
  /** The time from which one write may try. A write that was refused before may try {@link waitMs} later. */
  readonly retryAtMs: number
  readonly waitMs: number
  /** The origins or objects whose writes were refused since the circuit opened; at most {@link maxRefused}. */
  readonly refused: Set<string>
  isTrying: boolean
}

/** A circuit that a write passes, and the origin or object that the circuit counts it for. */
interface Passage {
  readonly id: string
  readonly who: string
}

const firstWaitMs = 1000
const maxWaitMs = 60_000
/** How many circuits are kept; the oldest is forgotten first. */
const maxCircuits = 1000
const maxRefused = 64
const noCircuits: ReadonlySet<Circuit> = new Set()

/** The circuits of one cluster; the comment at the start of this file explains them. */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions
  readonly #open = new Map<string, Circuit>()
  readonly #witnesses: Witnesses
  readonly #originOf: OriginOf

  constructor(options: CircuitBreakerOptions) {
    this.#options = options
    this.#witnesses = new Witnesses(options.clock)
    this.#originOf = options.originOf ?? originByNamespace
    options.metrics.gauge({
      name: 'sync_open_circuits',
      help: 'Sorts of writes that are held back because the cluster refuses all of them.',
      labelNames: ['cluster'],
      follow: (gauge) => gauge.set({ cluster: options.cluster }, this.#open.size),
    })
  }

  /**
   * Sends a write unless its circuit is open; if the circuit is open, throws {@link CircuitOpenError}. The first
   * refusal of an object, and the first of another origin, is thrown unchanged, so that each gets an Event about it.
   */
  async run<T>(write: WriteSort, send: () => Promise<T>): Promise<T> {
    const tried = this.#enter(write)
    try {
      const answer = await send()
      this.#recordSuccess(write)
      return answer
    } catch (error) {
      throw this.#handleFailure(write, error, tried)
    } finally {
      for (const circuit of tried) circuit.isTrying = false
    }
  }

  /** Returns the open circuits that the write may try. Throws if it must not try one of them yet. */
  #enter(write: WriteSort): ReadonlySet<Circuit> {
    if (this.#open.size === 0) return noCircuits
    const tried = new Set<Circuit>()
    for (const { id, who } of this.#passages(write)) {
      const circuit = this.#open.get(id)
      if (circuit) tried.add(this.#tryable(circuit, who))
    }
    for (const circuit of tried) circuit.isTrying = true
    return tried
  }

  #tryable(circuit: Circuit, who: string): Circuit {
    const retryInMs = this.#retryInMs(circuit, who)
    if (retryInMs <= 0 && !circuit.isTrying) return circuit
    throw openError(circuit, { retryInMs: Math.max(retryInMs, firstWaitMs) })
  }

  #retryInMs({ retryAtMs, waitMs, refused }: Circuit, who: string): number {
    return retryAtMs + (refused.has(who) ? waitMs : 0) - this.#options.clock.now()
  }

  #recordSuccess(write: WriteSort): void {
    if (this.#open.size === 0 && this.#witnesses.isEmpty) return
    for (const circuit of circuitsOf(write)) this.#witnesses.recordSuccess(circuit)
    for (const { id } of this.#passages(write)) this.#close(id)
    if (write.method === 'DELETE') this.#closeAll(quotaCircuit(write))
  }

  /** The error to throw for a failed write, after its circuit was opened or kept open. */
  #handleFailure(write: WriteSort, error: unknown, tried: ReadonlySet<Circuit>): unknown {
    const circuit = refusedCircuit(write, error)
    if (circuit === undefined || !(error instanceof Error)) return error
    const [all, ownPassage] = this.#passagesOf(circuit, write)
    const passage = this.#open.has(all.id) ? all : ownPassage
    const before = this.#open.get(passage.id)
    const extent = this.#witnesses.recordRefusal(circuit, { origin: all.who, object: ownPassage.who })
    if (extent === 'all' && !this.#open.has(all.id)) this.#reopen(all, error)
    if (before === undefined && extent !== 'origin') return error
    // Writes that were under way together are refused together: only the one that tries counts.
    const open = before && !tried.has(before) ? before : this.#reopen(passage, error, before)
    return openError(open, { retryInMs: this.#retryInMs(open, passage.who), cause: error })
  }

  #reopen({ id, who }: Passage, error: Error, before?: Circuit): Circuit {
    const { clock, logger, cluster } = this.#options
    const waitMs = Math.min(before ? before.waitMs * 2 : firstWaitMs, maxWaitMs)
    const refused = new Set([...(before?.refused ?? []), who].slice(-maxRefused))
    const retryAtMs = clock.now() + waitMs
    const circuit = { why: error.message, retryAtMs, waitMs, refused, isTrying: false }
    this.#open.set(id, circuit)
    if (before) return circuit
    this.#forgetOldest()
    logger.warn(
      { cluster, writes: id, error },
      'the cluster refuses all writes of this sort; holding them back',
    )
    return circuit
  }

  #forgetOldest(): void {
    const [oldest] = this.#open.keys()
    if (this.#open.size > maxCircuits && oldest !== undefined) this.#open.delete(oldest)
  }

  #close(id: string): void {
    if (!this.#open.delete(id)) return
    const { logger, cluster } = this.#options
    logger.info({ cluster, writes: id }, 'the cluster accepts writes of this sort again')
  }

  /** Closes a circuit for all, and for every origin. */
  #closeAll(circuit: string): void {
    for (const id of [...this.#open.keys()])
      if (id === circuit || id.startsWith(originCircuit(circuit, ''))) this.#close(id)
  }

  #passages(write: WriteSort): Passage[] {
    return circuitsOf(write).flatMap((circuit) => this.#passagesOf(circuit, write))
  }

  /** The circuit of all origins, and the one of the write's own origin. */
  #passagesOf(circuit: string, write: WriteSort): [Passage, Passage] {
    const origin = this.#originOf(write)
    return [
      { id: circuit, who: origin },
      { id: originCircuit(circuit, origin), who: `${write.resource.plural} ${formatKey(write.key)}` },
    ]
  }
}

const originCircuit = (circuit: string, origin: string) => `${circuit} of ${origin}`

/** The origin of a write in a cluster where each author has namespaces of their own. */
export function originByNamespace({ key }: Pick<WriteSort, 'key'>): string {
  return key.namespace === '' ? `/${key.name}` : key.namespace
}

function openError({ why }: Circuit, options: { retryInMs: number; cause?: unknown }): CircuitOpenError {
  return new CircuitOpenError(`not sent: the cluster is rejecting all writes of this kind: ${why}`, options)
}
