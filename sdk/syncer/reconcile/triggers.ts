import { concatMap, merge, type Observable } from 'rxjs'
import type { RegisterContext } from '../../context/register-context.js'
import type { NameConflicts } from '../../controller/name-conflicts.js'
import { formatKey, type Key, keyOf } from '../../kube/key.js'
import type { KubeObject } from '../../kube/object.js'
import { newestFirst } from '../../kube/resource-version.js'
import { hostScopes, knownHosts } from '../../ownership/host-objects.js'
import type { Change } from '../../store/store.js'
import { isWrittenBy } from '../../store/writer.js'
import type { Syncer } from '../syncer.js'
import { importKeyOf } from './imports.js'

/** Options of {@link triggers$}. */
export interface TriggersOptions {
  ctx: RegisterContext
  conflicts: NameConflicts
}

/**
 * The keys that changes of both clusters trigger: the key of a virtual object; for a host object the key of its source,
 * and the keys that wait for it to free its name. A key that has written the object itself is left out, unless the syncer
 * {@link Syncer.runsAfterOwnWrites}. Only the key travels on, never the change.
 */
export function triggers$<T extends KubeObject>(
  syncer: Syncer<T>,
  { ctx, conflicts }: TriggersOptions,
): Observable<Key> {
  const virtual$ = ctx.virtual
    .changes$(syncer.resource)
    .pipe(concatMap((change) => (isOwnWrite(syncer, change, change.key) ? [] : [change.key])))
  const hostChanges$ = merge(...hostScopes(syncer).map((scope) => ctx.host.changes$(syncer.resource, scope)))
  const host$ = hostChanges$.pipe(
    concatMap((change) => [
      ...sourcesOf(syncer, ctx, change).filter((key) => !isOwnWrite(syncer, change, key)),
      ...conflicts.waitingFor(change.key),
    ]),
  )
  return merge(virtual$, host$)
}

function isOwnWrite<T extends KubeObject>(
  { name: controller, runsAfterOwnWrites }: Syncer<T>,
  change: Change<T>,
  key: Key,
): boolean {
  return !runsAfterOwnWrites && isWrittenBy(change, { controller, key })
}

/**
 * The keys of all objects that the stores hold, alternating between the clusters. The newest change comes first, because
 * changes that were made while the plugin was down are among the newest.
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

/** The sources of a host object as it is now and as it was before, so that a change of its ownership labels counts for both. */
function sourcesOf<T extends KubeObject>(
  syncer: Syncer<T>,
  ctx: RegisterContext,
  { object, previous }: Change<T>,
): Key[] {
  const now = object && sourceOf(syncer, ctx, object)
  const before = previous && sourceOf(syncer, ctx, previous)
  const isSame = now && before && formatKey(now) === formatKey(before)
  return [now, isSame ? undefined : before].filter((key) => key !== undefined)
}

/** A syncer's mapping is user code: an error of it is logged and must not end the stream for other keys. */
function sourceOf<T extends KubeObject>(syncer: Syncer<T>, ctx: RegisterContext, host: T): Key | undefined {
  try {
    return syncer.sourceOf(host) ?? importKeyOf(syncer, host)
  } catch (error) {
    ctx.logger.error(
      { syncer: syncer.name, host: formatKey(keyOf(host)), error },
      'mapping a host object failed',
    )
    return undefined
  }
}
