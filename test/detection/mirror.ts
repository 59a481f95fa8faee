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

/** A mirror of ConfigMaps that does everything right, for the bugs to be put into. */
export class Mirror extends NamespacedTranslator<ConfigMap> {
  /** Both clusters, for what happens before there is a run. */
  readonly virtual: Client
  readonly host: Client

  constructor(ctx: RegisterContext) {
    super(ctx, 'configmap', configMaps)
    this.virtual = ctx.virtual.client
    this.host = ctx.host.client
  }

  /** Copies of the certificates of each namespace would only make every run longer. */
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
