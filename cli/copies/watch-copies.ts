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
import { type CopyChange, MirrorLog } from './copy-log.js'

/** What {@link watchCopies} watches. */
export interface WatchCopiesOptions {
  virtual: WatchedSide
  host: WatchedSide
  clock: Clock
}

/** What is watched of one cluster. */
export interface WatchedSide {
  transport: Transport
  /** These kinds; default every one that the cluster serves or comes to serve. */
  kinds?: readonly Resource[]
  /** Of the kinds with namespaces, this one; default all. */
  namespace?: string
}

interface KindEvent {
  resource: Resource
  event: WatchEvent
}

/**
 * Every change of a copy in either cluster, of any kind that is watched, explained by the changes of its original in the
 * other.
 */
export function watchCopies({ virtual, host, clock }: WatchCopiesOptions): Observable<CopyChange> {
  const events = {
    virtual: watchSide(virtual, 'virtual', clock).pipe(share()),
    host: watchSide(host, 'host', clock).pipe(share()),
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
