import type { ClusterRuntime } from '../../engine/cluster/cluster-runtime.js'
import type { HealthCheck } from '../../engine/health/health.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { formatResource, type Resource } from '../../engine/kube/resource.js'
import type { Store } from '../../engine/store/store.js'
import { type Clock, sleep } from '../../engine/time/clock.js'
import { ReviewError } from '../../engine/webhook/review/review-error.js'
import type { AdmissionStore } from '../kind/define/admission.js'

/** How long a review waits for a cache, in milliseconds: less than the time limit of the webhooks. */
const maxWaitMs = 3000

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
  #cluster: Pick<ClusterRuntime, 'store' | 'watched' | 'namespace'> | undefined
  /** The kinds whose first list is awaited. */
  readonly #awaited = new Set<string>()

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock
  }

  /** Reads the caches of this cluster from now on. */
  attach(cluster: Pick<ClusterRuntime, 'store' | 'watched' | 'namespace'>): void {
    this.#cluster = cluster
  }

  /**
   * Fails while a cache that needs no conversion is not filled. The other caches may wait for the conversions of this
   * replica.
   */
  readonly check: HealthCheck = {
    name: 'webhook-caches',
    wrong: () =>
      this.#awaited.size > 0 ? `the caches of ${[...this.#awaited].join(', ')} are being filled` : undefined,
  }

  /** Makes {@link check} fail until the caches of the kinds for which `counts` returns true have answered. */
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
    const cluster = this.#cluster
    const scopes = cluster?.watched.filter((watched) => formatResource(watched.resource) === kind) ?? []
    if (!cluster || scopes.length === 0)
      throw new ReviewError(500, `the operator does not watch ${kind}: add it to webhooks.reads`)
    const isWhole = !resource.namespaced || scopes.some(({ namespace }) => namespace === cluster.namespace)
    if (isWhole) return asAdmissionStore(filledStore(cluster, resource))
    return perNamespaceStore(cluster, resource, [...new Set(scopes.map(({ namespace = '' }) => namespace))])
  }

  /** Answers a review that reads caches. Calls `answer` again once a missing cache is filled. */
  async whenFilled<A>(answer: () => A): Promise<A> {
    const waitEnd = new AbortController()
    const timeout = sleep(this.#clock, maxWaitMs, waitEnd.signal).then(() => 'over' as const)
    timeout.catch(() => {})
    try {
      for (;;) {
        const attempt = tryAnswer(answer)
        if (!('lacks' in attempt)) return attempt.answer
        const synced = attempt.lacks.store.whenSynced(waitEnd.signal)
        synced.catch(() => {})
        if ((await Promise.race([synced, timeout])) === 'over') throw attempt.lacks
      }
    } finally {
      waitEnd.abort()
    }
  }
}

/** The cache of a kind. Throws {@link CacheNotFilledError} if it is not filled. */
function filledStore<T extends KubeObject>(
  cluster: Pick<ClusterRuntime, 'store'>,
  resource: Resource<T>,
  namespace?: string,
): Store<T> {
  const store = cluster.store(resource, namespace === undefined ? undefined : { namespace })
  if (!store.synced) throw new CacheNotFilledError(formatResource(resource), store as unknown as Store)
  return store
}

function asAdmissionStore<T extends KubeObject>(store: Store<T>): AdmissionStore<T> {
  return {
    get: ({ namespace = '', name }) => store.get({ namespace, name }),
    in: (namespace) => store.list(namespace),
  }
}

/** The caches of controllers with `namespaces`, one for each. */
function perNamespaceStore<T extends KubeObject>(
  cluster: Pick<ClusterRuntime, 'store'>,
  resource: Resource<T>,
  namespaces: readonly string[],
): AdmissionStore<T> {
  const storeOf = (namespace: string) => {
    if (!namespaces.includes(namespace)) throw unwatchedError(formatResource(resource), namespaces)
    return filledStore(cluster, resource, namespace)
  }
  return {
    get: ({ namespace = '', name }) => storeOf(namespace).get({ namespace, name }),
    in: (namespace) =>
      (namespace === undefined ? namespaces : [namespace]).flatMap((watched) =>
        storeOf(watched).list(watched),
      ),
  }
}

/** The error for a namespace without a cache. A cache of it would need a permission that the operator lacks. */
function unwatchedError(kind: string, namespaces: readonly string[]): ReviewError {
  return new ReviewError(
    500,
    `the operator watches ${kind} only in the namespaces ${namespaces.join(', ')}: add the kind to webhooks.reads`,
  )
}

/** Calls `answer`. Returns its answer, or the error of the cache that it lacks. */
function tryAnswer<A>(answer: () => A): { answer: A } | { lacks: CacheNotFilledError } {
  try {
    return { answer: answer() }
  } catch (error) {
    if (error instanceof CacheNotFilledError) return { lacks: error }
    throw error
  }
}
