import { concatMap, map, merge, type Observable } from 'rxjs'
import type { RegisterContext } from '../../context/register-context.js'
import { formatKey, type Key, keyOf } from '../../kube/key.js'
import type { KubeObject } from '../../kube/object.js'
import { newestFirst } from '../../kube/resource-version.js'
import { hostScopes, knownHosts } from '../../ownership/host-objects.js'
import type { Change } from '../../store/store.js'
import type { Syncer } from '../syncer.js'
import { importKeyOf } from './imports.js'
import type { Refusals } from './refusals.js'

/** What {@link rungKeys$} reads. */
export interface RungKeysOptions {
  ctx: RegisterContext
  refusals: Refusals
}

/**
 * The keys that changes ring, from both clusters: a virtual object's own key; for a host object the key of its
 * source, and those that wait for it to leave. A change is forgotten here, only the key travels on.
 */
export function rungKeys$<T extends KubeObject>(
  syncer: Syncer<T>,
  { ctx, refusals }: RungKeysOptions,
): Observable<Key> {
  const virtual$ = ctx.virtual.changes$(syncer.resource).pipe(map((touched) => touched.key))
  const touchedHost$ = merge(...hostScopes(syncer).map((scope) => ctx.host.changes$(syncer.resource, scope)))
  const host$ = touchedHost$.pipe(
    concatMap((touched) => [...sourcesOf(syncer, ctx, touched), ...refusals.waitingFor(touched.key)]),
  )
  return merge(virtual$, host$)
}

/**
 * The keys of everything the stores hold already, those of either cluster in turn. What changed last comes first, because
 * what happened while nobody looked is among it.
 */
export function* knownKeys<T extends KubeObject>(syncer: Syncer<T>, ctx: RegisterContext): Iterable<Key> {
  const virtual = newestFirst(ctx.virtual.store(syncer.resource).list())
  const hosts = newestFirst(knownHosts(syncer, ctx))
  for (let index = 0; index < Math.max(virtual.length, hosts.length); index++) {
    const [original, host] = [virtual[index], hosts[index]]
    if (original) yield keyOf(original)
    if (host) yield* sourcesOf(syncer, ctx, { key: keyOf(host), object: host, gone: false })
  }
}

/** The source a host object names now and the one it named before, so that edited marks are noticed too. */
function sourcesOf<T extends KubeObject>(syncer: Syncer<T>, ctx: RegisterContext, touched: Change<T>): Key[] {
  const keys = new Map<string, Key>()
  for (const object of [touched.object, touched.previous]) {
    const key = object && sourceOf(syncer, ctx, object)
    if (key) keys.set(formatKey(key), key)
  }
  return [...keys.values()]
}

/** A syncer's mapping is user code: what it throws is logged and must not end the stream for everybody. */
function sourceOf<T extends KubeObject>(syncer: Syncer<T>, ctx: RegisterContext, host: T): Key | undefined {
  try {
    return syncer.isManaged(host) ? syncer.hostToVirtual(host) : importKeyOf(syncer, host)
  } catch (error) {
    ctx.logger.error(
      { syncer: syncer.name, host: formatKey(keyOf(host)), error },
      'mapping a host object failed',
    )
    return undefined
  }
}
