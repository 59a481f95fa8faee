import {
  type Client,
  type ConfigMap,
  configMaps,
  NamespacedTranslator,
  type Pair,
  type RegisterContext,
  type SyncContext,
} from 'vcluster-plugin-sdk'

const notCopied = ['kube-root-ca.crt', 'counter']

/** A correct mirror of ConfigMaps, the base of the bugs. */
export class Mirror extends NamespacedTranslator<ConfigMap> {
  /** Clients of both clusters, for use before there is a run. */
  readonly virtual: Client
  readonly host: Client

  constructor(ctx: RegisterContext) {
    super(ctx, 'configmap', configMaps)
    this.virtual = ctx.virtual.client
    this.host = ctx.host.client
  }

  /** Copies of the root certificates would only make each run longer. */
  override virtualToHost(key: SyncContext['key']) {
    return notCopied.includes(key.name) ? undefined : super.virtualToHost(key)
  }

  override async syncDown(ctx: SyncContext, virtual: ConfigMap) {
    await this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }

  override async sync(ctx: SyncContext, { host, virtual }: Pair<ConfigMap>) {
    await this.syncDownUpdate(ctx, virtual, this.translateUpdate(host, virtual))
  }

  override async syncUp(ctx: SyncContext, host: ConfigMap) {
    await this.syncDownDelete(ctx, host)
  }
}
