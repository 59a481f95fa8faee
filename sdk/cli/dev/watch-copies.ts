import {
  distinct,
  filter,
  from,
  ignoreElements,
  map,
  merge,
  mergeAll,
  mergeMap,
  type Observable,
  share,
  tap,
} from 'rxjs'
import { isEstablished, resourceOf } from '../../kinds/definition.js'
import { customResourceDefinitions } from '../../kube/builtin.js'
import type { KubeObject } from '../../kube/object.js'
import { formatResource, type Resource } from '../../kube/resource.js'
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
 * Every change of a copy in either cluster, of any kind that the clusters serve or come to serve, explained by the changes
 * of its original in the other.
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
  const watchKind = <T extends KubeObject>(resource: Resource<T>) =>
    watchResource({ transport, resource, cluster, clock, logger: silentLogger, metrics: noMetrics })
  const custom$ = watchKind(customResourceDefinitions).pipe(
    map((event) => ('object' in event && isEstablished(event.object) ? resourceOf(event.object) : undefined)),
    filter((resource) => resource !== undefined),
  )
  const kinds$ = merge(from(servedKinds(transport)).pipe(mergeAll()), custom$).pipe(
    distinct((resource: Resource) => formatResource(resource)),
  )
  return kinds$.pipe(mergeMap((resource) => watchKind(resource).pipe(map((event) => ({ resource, event })))))
}
