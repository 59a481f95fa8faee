import { filter, from, ignoreElements, map, merge, mergeMap, type Observable, share, tap } from 'rxjs'
import type { Resource } from '../../kube/resource.js'
import type { Clock } from '../../observe/clock.js'
import { silentLogger } from '../../observe/logger.js'
import { noMetrics } from '../../observe/metrics.js'
import type { Transport } from '../../transport/transport.js'
import type { WatchEvent } from '../../watch/event.js'
import { watchResource } from '../../watch/watch-resource.js'
import { type CopyChange, MirrorLog } from './mirror-log.js'
import { servedKinds } from './served-kinds.js'

/** What {@link watchCopies} watches. */
export interface WatchCopiesOptions {
  virtual: Transport
  host: Transport
  clock: Clock
}

interface KindEvent {
  resource: Resource
  event: WatchEvent
}

/**
 * Every change of a copy in the host cluster, of any kind that the clusters serve when it is subscribed to,
 * explained by the changes of its original.
 */
export function watchCopies({ virtual, host, clock }: WatchCopiesOptions): Observable<CopyChange> {
  const log = new MirrorLog(clock)
  const noted$ = watchEverything(virtual, 'virtual', clock).pipe(
    tap(({ resource, event }) => log.virtualChanged(resource, event)),
    ignoreElements(),
  )
  const explained$ = watchEverything(host, 'host', clock).pipe(
    map(({ resource, event }) => log.hostChanged(resource, event)),
    filter((change) => change !== undefined),
  )
  return merge(noted$, explained$).pipe(share())
}

function watchEverything(
  transport: Transport,
  cluster: 'virtual' | 'host',
  clock: Clock,
): Observable<KindEvent> {
  const watchKind = (resource: Resource) =>
    watchResource({ transport, resource, cluster, clock, logger: silentLogger, metrics: noMetrics }).pipe(
      map((event) => ({ resource, event })),
    )
  return from(servedKinds(transport)).pipe(mergeMap((kinds) => merge(...kinds.map(watchKind))))
}
