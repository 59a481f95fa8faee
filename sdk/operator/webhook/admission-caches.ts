import type { ClusterRuntime } from '../../engine/cluster/cluster-runtime.js'
import type { Check } from '../../engine/health/health.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { formatResource, type Resource } from '../../engine/kube/resource.js'
import type { Store } from '../../engine/store/store.js'
import { type Clock, sleep } from '../../engine/time/clock.js'
import { ReviewError } from '../../engine/webhook/review/review-error.js'
import type { AdmissionStore } from '../kind/define/admission.js'

/** How long a review waits for a cache, in milliseconds: less than the time limit of the webhooks. */
const patienceMs = 3000

/** A cache that `validate` reads is not filled yet. */
class CacheNotFilledError extends ReviewError {
  readonly store: Store

  constructor(kind: string, store: Store) {
    super(503, `the cache of ${kind} is not filled yet`)
    this.store = store
  }
}

/** The caches of one replica that `validate` may read. They are the same on the leader and on a standby. */
export class AdmissionCaches {
  readonly #clock: Clock
  #cluster: Pick<ClusterRuntime, 'store' | 'watched'> | undefined
  /** The kinds whose first list is awaited. */
  readonly #awaited = new Set<string>()

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock
  }

  /** Reads the caches of this cluster from now on. */
  attach(cluster: Pick<ClusterRuntime, 'store' | 'watched'>): void {
    this.#cluster = cluster
  }

  /** Fails while a cache is filled that needs no conversion; the others may wait for the conversions of this replica. */
  readonly check: Check = {
    name: 'webhook-caches',
    wrong: () =>
      this.#awaited.size > 0 ? `the caches of ${[...this.#awaited].join(', ')} are being filled` : undefined,
  }

  /** The caches are being filled. {@link check} fails until those of which `counts` is true have answered. */
  expect(counts: (resource: Resource) => boolean, signal: AbortSignal): void {
    for (const { resource, store } of this.#cluster?.watched ?? []) {
      if (!counts(resource)) continue
      const kind = formatResource(resource)
      this.#awaited.add(kind)
      const done = () => this.#awaited.delete(kind)
      void store.whenAnswered(signal).then(done, done)
    }
  }

  /** The cache of a kind. Throws {@link ReviewError} if there is none or it is not filled. */
  store<T extends KubeObject>(resource: Resource<T>): AdmissionStore<T> {
    const kind = formatResource(resource)
    const isWatched = this.#cluster?.watched.some((one) => formatResource(one.resource) === kind)
    if (!this.#cluster || !isWatched)
      throw new ReviewError(500, `the operator does not watch ${kind}: add it to webhooks.reads`)
    const store = this.#cluster.store(resource)
    if (!store.synced) throw new CacheNotFilledError(kind, store as unknown as Store)
    return {
      get: ({ namespace = '', name }) => store.get({ namespace, name }),
      in: (namespace) => store.list(namespace),
    }
  }

  /** The answer of a review that reads caches. It is asked again when a cache is filled that it lacks. */
  async whenFilled<A>(answer: () => A): Promise<A> {
    const patience = new AbortController()
    const over = sleep(this.#clock, patienceMs, patience.signal).then(() => 'over' as const)
    over.catch(() => {})
    try {
      for (;;) {
        const answered = attempt(answer)
        if (!('lacks' in answered)) return answered.answer
        const filled = answered.lacks.store.whenSynced(patience.signal)
        filled.catch(() => {})
        if ((await Promise.race([filled, over])) === 'over') throw answered.lacks
      }
    } finally {
      patience.abort()
    }
  }
}

function attempt<A>(answer: () => A): { answer: A } | { lacks: CacheNotFilledError } {
  try {
    return { answer: answer() }
  } catch (error) {
    if (error instanceof CacheNotFilledError) return { lacks: error }
    throw error
  }
}
