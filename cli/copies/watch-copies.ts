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
import { isEstablished, resourceOf } from '../../sdk/cluster/definition.js'
import { type CustomResourceDefinition, customResourceDefinitions } from '../../sdk/kube/builtin.js'
import type { KubeObject } from '../../sdk/kube/object.js'
import { formatResource, type Resource } from '../../sdk/kube/resource.js'
import { silentLogger } from '../../sdk/observe/logger.js'
import { noMetrics } from '../../sdk/observe/metrics.js'
import type { Clock } from '../../sdk/time/clock.js'
import type { Transport } from '../../sdk/transport/transport.js'
import type { WatchEvent } from '../../sdk/watch/event.js'
import { watchResource } from '../../sdk/watch/watch-resource.js'
import { servedKinds } from '../clusters/served-kinds.js'
import { type CopyChange, CopyLog } from './copy-log.js'

/** Options of {@link watchCopies}. */
export interface WatchCopiesOptions {
  virtual: WatchedSide
  host: WatchedSide
  clock: Clock
}

/** The watched objects of one cluster. */
export interface WatchedSide {
  transport: Transport
  /** The kinds; default all that the cluster serves now or later. */
  kinds?: readonly Resource[]
  /** The namespace for namespaced kinds; default all. */
  namespace?: string
}

interface KindEvent {
  resource: Resource
  event: WatchEvent
}

/** The changes of copies in both clusters, related to the changes of their originals. */
export function watchCopies({ virtual, host, clock }: WatchCopiesOptions): Observable<CopyChange> {
  const events = {
    virtual: watchSide(virtual, 'virtual', clock).pipe(share()),
    host: watchSide(host, 'host', clock).pipe(share()),
  }
  return merge(
    explained(events.virtual, events.host, new CopyLog('host', clock)),
    explained(events.host, events.virtual, new CopyLog('virtual', clock)),
  ).pipe(share())
}

function explained(
  originals$: Observable<KindEvent>,
  copies$: Observable<KindEvent>,
  log: CopyLog,
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

function watchSide(
  { transport, kinds, namespace }: WatchedSide,
  cluster: 'virtual' | 'host',
  clock: Clock,
): Observable<KindEvent> {
  const watchKind = <T extends KubeObject>(resource: Resource<T>) => {
    const scope = { resource, ...(resource.namespaced && namespace !== undefined && { namespace }) }
    return watchResource({ transport, ...scope, cluster, clock, logger: silentLogger, metrics: noMetrics })
  }
  const kinds$ = kinds ? from(kinds) : everyKind(transport, watchKind(customResourceDefinitions))
  return kinds$.pipe(mergeMap((resource) => watchKind(resource).pipe(map((event) => ({ resource, event })))))
}

function everyKind(
  transport: Transport,
  definitions$: Observable<WatchEvent<CustomResourceDefinition>>,
): Observable<Resource> {
  const custom$ = definitions$.pipe(
    map((event) => ('object' in event && isEstablished(event.object) ? resourceOf(event.object) : undefined)),
    filter((resource) => resource !== undefined),
  )
  return merge(from(servedKinds(transport)).pipe(mergeAll()), custom$).pipe(
    distinct((resource: Resource) => formatResource(resource)),
  )
}
