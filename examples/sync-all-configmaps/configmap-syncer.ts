import {
  type ConfigMap,
  configMaps,
  type DeepReadonly,
  NamespacedTranslator,
  type Pair,
  type RegisterContext,
  type SyncContext,
} from 'vcluster-plugin-sdk'

/** Options of {@link ConfigMapSyncer}. */
export interface ConfigMapSyncerOptions {
  /**
   * Leaves out `kube-root-ca.crt`, which Kubernetes creates in each namespace, and deletes existing copies of
   * it. Default false, because pods that vcluster runs on the host mount that copy.
   */
  excludeRootCa?: boolean
}

/** Copies every ConfigMap of the virtual cluster to the host cluster, and keeps the copies up to date. */
export class ConfigMapSyncer extends NamespacedTranslator<ConfigMap> {
  override readonly runsAfterOwnWrites = false
  readonly #excludeRootCa: boolean

  constructor(ctx: RegisterContext, { excludeRootCa = false }: ConfigMapSyncerOptions = {}) {
    super(ctx, 'configmap', configMaps)
    this.#excludeRootCa = excludeRootCa
  }

  override async syncDown(ctx: SyncContext, virtual: DeepReadonly<ConfigMap>) {
    if (this.#isExcluded(virtual)) return undefined
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }

  override sync(ctx: SyncContext, { host, virtual }: Pair<ConfigMap>) {
    if (this.#isExcluded(virtual)) return this.syncDownDelete(ctx, host)
    return this.syncDownUpdate(ctx, virtual, this.translateUpdate(host, virtual))
  }

  #isExcluded(virtual: ConfigMap): boolean {
    return this.#excludeRootCa && virtual.metadata.name === 'kube-root-ca.crt'
  }
}
