import { distinctUntilChanged, from, map, merge, type Observable } from 'rxjs'
import type { Client } from '../../engine/client/client.js'
import { type Service, services } from '../../engine/kube/builtin.js'
import { ApiError, isNotFound, isTooManyRequests } from '../../engine/kube/error.js'
import type { OwnerReference } from '../../engine/kube/object.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { Metrics } from '../../engine/observe/metrics.js'
import { intoStore } from '../../engine/store/into-store.js'
import { StoreWriter } from '../../engine/store/store-writer.js'
import { backoffMs } from '../../engine/time/backoff.js'
import { type Clock, sleep } from '../../engine/time/clock.js'
import type { Transport } from '../../engine/transport/transport.js'
import type { RestoreDetector } from '../../engine/watch/restore-detector.js'
import { watchResource } from '../../engine/watch/watch-resource.js'

/** Options of {@link findOwner}. */
export interface FindOwnerOptions {
  client: Client
  namespace: string
  /** The Service's name; undefined means that copies have no owner. */
  service: string | undefined
  logger: Logger
  /** Measures the pauses between attempts. */
  clock: Clock
  signal: AbortSignal
}

/** The pauses between attempts at the start. */
export const pauses = { baseMs: 500, maxMs: 30_000, leastShare: 0.5 }

/**
 * Finds the vcluster's Service, so that the copies are deleted with the vcluster. Without that Service there is no
 * owner: the garbage collector would delete copies with a reference to a missing owner.
 *
 * Asks again if the API server is down or busy; rejects with its `ApiError` if it refuses.
 */
export async function findOwner({
  client,
  namespace,
  service,
  logger,
  clock,
  signal,
}: FindOwnerOptions): Promise<OwnerReference | undefined> {
  if (service === undefined) return undefined
  for (let attempt = 0; ; attempt++) {
    try {
      return referenceTo(service, await client.get(services, { namespace, name: service }, { signal }))
    } catch (error) {
      if (isNotFound(error)) return ownerless(`${namespace}/${service}`, logger)
      if (signal.aborted || isRefusal(error)) throw error
      logger.warn(
        { error, service: `${namespace}/${service}` },
        'reading the owner of copies failed, trying again',
      )
    }
    await sleep(clock, backoffMs(attempt, pauses), signal)
  }
}

/** Options of {@link followOwner}. */
export interface FollowOwnerOptions extends Pick<FindOwnerOptions, 'namespace' | 'logger' | 'clock'> {
  transport: Transport
  service: string
  metrics: Metrics
  /** Detects restores of the host cluster; default none. */
  restores?: RestoreDetector
}

/**
 * Emits the owner each time it is created, deleted or created again, `undefined` while it is missing. It
 * watches only that one Service.
 */
export function followOwner(options: FollowOwnerOptions): Observable<OwnerReference | undefined> {
  const { namespace, service, ...watch } = options
  const writer = new StoreWriter<Service>()
  const { store } = writer
  const fieldSelector = `metadata.name=${service}`
  const watched$ = watchResource({ resource: services, namespace, fieldSelector, cluster: 'host', ...watch })
  // A first list without the Service causes no change, but shows that the Service is missing.
  return merge(watched$.pipe(intoStore(writer)), from(store.whenSynced())).pipe(
    map(() => store.get({ namespace, name: service })),
    map((found) => found && referenceTo(service, found)),
    distinctUntilChanged((before, after) => before?.uid === after?.uid),
  )
}

function referenceTo(name: string, { metadata }: Service): OwnerReference {
  return { apiVersion: 'v1', kind: 'Service', name, uid: metadata.uid ?? '' }
}

function ownerless(service: string, logger: Logger): undefined {
  logger.warn({ service }, 'the vcluster has no Service of its name here; copies get no owner')
}

/** Whether the API server has refused a call; one that is down or busy may answer later. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.code < 500 && !isTooManyRequests(error)
}
