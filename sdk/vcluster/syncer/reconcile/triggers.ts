import { merge, type Observable } from 'rxjs'
import {
  type KeyMapping,
  keysOfChange,
  keysOfObject,
  withoutWriter,
} from '../../../engine/controller/keys-of-change.js'
import type { NameConflicts } from '../../../engine/controller/name-conflicts.js'
import { type Key, keyOf } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { newestFirst } from '../../../engine/kube/resource-version.js'
import { lazyLogger } from '../../../engine/observe/lazy-logger.js'
import { flattenMap } from '../../../engine/store/flatten-map.js'
import type { Change } from '../../../engine/store/store.js'
import type { RegisterContext } from '../../context/register-context.js'
import { hostScopes, knownHosts } from '../../ownership/host-objects.js'
import type { Syncer } from '../syncer.js'
import { importKeyOf } from './imports.js'

/** Options of {@link triggers$}. */
export interface TriggersOptions {
  ctx: RegisterContext
  conflicts: NameConflicts
}

/**
 * The keys that changes of both clusters trigger: the key of a virtual object; for a host object the key of its source,
 * and the keys that wait for it to free its name. A key whose own run has written the object is left out, unless the
 * syncer {@link Syncer.runsAfterOwnWrites}. Only the key is passed on, never the change.
 */
export function triggers$<T extends KubeObject>(
  syncer: Syncer<T>,
  { ctx, conflicts }: TriggersOptions,
): Observable<Key> {
  const withoutOwnWrites = (change: Change<T>, keys: Key[]) =>
    syncer.runsAfterOwnWrites ? keys : withoutWriter(syncer.name, change, keys)
  const sources = sourceMapping(syncer, ctx)
  const virtual$ = ctx.virtual
    .changes$(syncer.resource)
    .pipe(flattenMap((change) => withoutOwnWrites(change, [change.key])))
  const hostChanges$ = merge(...hostScopes(syncer).map((scope) => ctx.host.changes$(syncer.resource, scope)))
  const host$ = hostChanges$.pipe(
    flattenMap((change) => [
      ...withoutOwnWrites(change, keysOfChange(change, sources)),
      ...conflicts.waitingFor(change.key),
    ]),
  )
  return merge(virtual$, host$)
}

/**
 * The keys of all objects that the stores hold, alternating between the clusters. The newest change comes first,
 * because changes that were made while the plugin was down are among the newest.
 */
export function* knownKeys<T extends KubeObject>(syncer: Syncer<T>, ctx: RegisterContext): Iterable<Key> {
  const sources = sourceMapping(syncer, ctx)
  const virtual = newestFirst(ctx.virtual.store(syncer.resource).list())
  const hosts = newestFirst(knownHosts(syncer, ctx))
  for (let index = 0; index < Math.max(virtual.length, hosts.length); index++) {
    const [original, host] = [virtual[index], hosts[index]]
    if (original) yield keyOf(original)
    if (host) yield* keysOfObject(host, sources)
  }
}

/** Maps a host object to its source, or to the key that it asks to be imported under. */
function sourceMapping<T extends KubeObject>(syncer: Syncer<T>, ctx: RegisterContext): KeyMapping<T> {
  return {
    logger: lazyLogger(() => ctx.logger.child({ controller: syncer.name })),
    keysOf: (host) => {
      const key = syncer.sourceOf(host) ?? importKeyOf(syncer, host)
      return key ? [key] : []
    },
  }
}
