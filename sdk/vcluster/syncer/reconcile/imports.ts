import { freezeJson } from '../../../engine/kube/json.js'
import { formatKey, type Key, keyOf } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { RegisterContext } from '../../context/register-context.js'
import type { SyncContext } from '../../context/sync-context.js'
import { hostScopes } from '../../ownership/host-objects.js'
import type { Syncer } from '../syncer.js'

/**
 * The key under which a host object asks to be imported; undefined if it does not ask, is managed, or is being deleted.
 */
export function importKeyOf<T extends KubeObject>(syncer: Syncer<T>, host: T): Key | undefined {
  if (!syncer.importKey || host.metadata.deletionTimestamp || syncer.isManaged(host)) return undefined
  return syncer.importKey(host)
}

/**
 * Adds the index by which {@link importObject} finds the host objects that ask for a key. Call before the caches are
 * filled.
 */
export function indexImports<T extends KubeObject>(syncer: Syncer<T>, ctx: RegisterContext): void {
  if (!syncer.importKey) return
  for (const scope of hostScopes(syncer)) {
    ctx.host.store(syncer.resource, scope).addIndex(indexOf(syncer), (host) => {
      const key = importKeyOf(syncer, host)
      return key ? [formatKey(key)] : []
    })
  }
}

/** Imports the host object that asks for `ctx.key`, if there is one. */
export async function importObject<T extends KubeObject>(
  syncer: Syncer<T>,
  ctx: SyncContext,
): Promise<undefined> {
  const candidate = importCandidate(syncer, ctx, ctx.key)
  if (candidate && (await syncer.import?.(ctx, freezeJson(candidate))))
    ctx.logger.info({}, 'a host object was imported')
}

/** The host object to import under `key`: the first by namespace and name that asks for it. */
function importCandidate<T extends KubeObject>(
  syncer: Syncer<T>,
  ctx: RegisterContext,
  key: Key,
): T | undefined {
  if (!syncer.import || !syncer.importKey) return undefined
  const candidates = hostScopes(syncer).flatMap((scope) =>
    ctx.host.store(syncer.resource, scope).byIndex(indexOf(syncer), formatKey(key)),
  )
  return candidates.sort((a, b) => (formatKey(keyOf(a)) < formatKey(keyOf(b)) ? -1 : 1))[0]
}

/** The name of the index of {@link indexImports}. */
const indexOf = ({ name }: Pick<Syncer, 'name'>) => `imports of ${name}`
