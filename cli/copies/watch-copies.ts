import { distinct, filter, from, map, merge, mergeAll, mergeMap, type Observable, share } from 'rxjs'
import { isEstablished, resourceOf } from '../../sdk/engine/cluster/definition.js'
import { type CustomResourceDefinition, customResourceDefinitions } from '../../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { formatResource, type Resource } from '../../sdk/engine/kube/resource.js'
import { silentLogger } from '../../sdk/engine/observe/logger.js'
import { noMetrics } from '../../sdk/engine/observe/metrics.js'
import type { Clock } from '../../sdk/engine/time/clock.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import type { WatchEvent } from '../../sdk/engine/watch/event.js'
import { watchResource } from '../../sdk/engine/watch/watch-resource.js'
import { servedKinds } from '../clusters/served-kinds.js'
import { type CopyChange, CopyLog } from './copy-log.js'
import { explainCopies, type KindEvent } from './explain-copies.js'

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

/** The changes of copies in both clusters, related to the changes of their originals. */
export function watchCopies({ virtual, host, clock }: WatchCopiesOptions): Observable<CopyChange> {
  const events = {
    virtual: watchSide(virtual, 'virtual', clock).pipe(share()),
    host: watchSide(host, 'host', clock).pipe(share()),
  }
  return merge(
    explainCopies(events.virtual, events.host, new CopyLog('host', clock), clock),
    explainCopies(events.host, events.virtual, new CopyLog('virtual', clock), clock),
  ).pipe(share())
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
