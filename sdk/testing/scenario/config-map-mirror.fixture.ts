import type { RegisterContext } from '../../context/register-context.js'
import type { SyncContext } from '../../context/sync-context.js'
import { type ConfigMap, configMaps } from '../../kube/builtin.js'
import type { Pair, Syncer } from '../../syncer/syncer.js'
import { NamespacedTranslator } from '../../translator/namespaced-translator.js'

class ConfigMapMirror extends NamespacedTranslator<ConfigMap> {
  override syncDown(ctx: SyncContext, virtual: ConfigMap) {
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }

  override sync(ctx: SyncContext, { host, virtual }: Pair<ConfigMap>) {
    return this.syncDownUpdate(ctx, virtual, this.translateUpdate(host, virtual))
  }

  override syncUp(ctx: SyncContext, host: ConfigMap) {
    return this.syncDownDelete(ctx, host)
  }
}

/** A mirror of ConfigMaps that does everything right, for tests to spoil. */
export function mirrorOfConfigMaps(ctx: RegisterContext): Syncer {
  return new ConfigMapMirror(ctx, 'configmap', configMaps) as unknown as Syncer
}
