import { formatKey, type Key, keyOf } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { RegisterContext } from '../../context/register-context.js'
import type { Syncer } from '../syncer.js'

/**
 * Indexes the virtual objects of a syncer by the keys of their copies, for {@link virtualByHostName}: call it in
 * `registerIndices` (`IndexByPhysicalName` of the Go SDK).
 *
 * @example
 * ```ts
 * class ConfigMaps extends NamespacedTranslator<ConfigMap> {
 *   override async registerIndices(ctx: RegisterContext) {
 *     indexHostNames(this, ctx)
 *   }
 *   override syncDown(ctx: SyncContext, virtual: DeepReadonly<ConfigMap>) {
 *     return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
 *   }
 *   override sync(ctx: SyncContext, { host, virtual }: Pair<ConfigMap>) {
 *     return this.syncDownUpdate(ctx, virtual, this.translateUpdate(host, virtual))
 *   }
 * }
 * ```
 */
export function indexHostNames<T extends KubeObject>(syncer: Syncer<T>, ctx: RegisterContext): void {
  ctx.virtual.store(syncer.resource).addIndex(indexOf(syncer), (virtual) => {
    const hostKey = syncer.virtualToHost(keyOf(virtual), virtual)
    return hostKey ? [formatKey(hostKey)] : []
  })
}

/**
 * The virtual object whose copy has that key on the host, or is to have it. Throws without {@link indexHostNames}.
 *
 * @example
 * ```ts
 * const nameOf = (syncer: Syncer<ConfigMap>, ctx: RegisterContext, copy: ConfigMap) =>
 *   virtualByHostName(syncer, ctx, keyOf(copy))?.metadata.name
 * ```
 */
export function virtualByHostName<T extends KubeObject>(
  syncer: Syncer<T>,
  ctx: RegisterContext,
  hostKey: Key,
): T | undefined {
  return ctx.virtual.store(syncer.resource).byIndex(indexOf(syncer), formatKey(hostKey))[0]
}

const indexOf = ({ name }: Pick<Syncer, 'name'>): string => `host names of ${name}`
