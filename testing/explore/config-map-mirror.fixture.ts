import { type ConfigMap, configMaps } from '../../sdk/engine/kube/builtin.js'
import type { RegisterContext } from '../../sdk/vcluster/context/register-context.js'
import type { SyncContext } from '../../sdk/vcluster/context/sync-context.js'
import type { Pair, Syncer } from '../../sdk/vcluster/syncer/syncer.js'
import { NamespacedTranslator } from '../../sdk/vcluster/syncer/translator/namespaced-translator.js'

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

/** A correct mirror of ConfigMaps, into which tests insert bugs. */
export function mirrorOfConfigMaps(ctx: RegisterContext): Syncer {
  return new ConfigMapMirror(ctx, 'configmap', configMaps) as unknown as Syncer
}
