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
 * Every change of a copy in either cluster, of any kind that the clusters serve when it is subscribed to, explained by the
 * changes of its original in the other.
 */
export function watchCopies({ virtual, host, clock }: WatchCopiesOptions): Observable<CopyChange> {
  const events = {
    virtual: watchEverything(virtual, 'virtual', clock).pipe(share()),
    host: watchEverything(host, 'host', clock).pipe(share()),
  }
  return merge(
    explained(events.virtual, events.host, new MirrorLog('host', clock)),
    explained(events.host, events.virtual, new MirrorLog('virtual', clock)),
  ).pipe(share())
}

function explained(
  originals$: Observable<KindEvent>,
  copies$: Observable<KindEvent>,
  log: MirrorLog,
): Observable<CopyChange> {
  const noted$ = originals$.pipe(
    tap(({ resource, event }) => log.originalChanged(resource, event)),
    ignoreElements(),
  )
  const explained$ = copies$.pipe(
    map(({ resource, event }) => log.copyChanged(resource, event)),
    filter((change) => change !== undefined),
  )
  return merge(noted$, explained$)
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
