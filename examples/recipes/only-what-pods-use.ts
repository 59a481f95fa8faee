import {
  type DeepReadonly,
  formatKey,
  type Key,
  keyOf,
  NamespacedTranslator,
  type Pair,
  type Plugin,
  type Pod,
  pods,
  type RegisterContext,
  type Secret,
  type SyncContext,
  secrets,
  type Watches,
} from 'vcluster-plugin-sdk'

/** Copies a Secret while a Pod of its namespace mounts it. */
class UsedSecrets extends NamespacedTranslator<Secret> {
  override readonly runsAfterOwnWrites = false
  readonly #ctx: RegisterContext

  constructor(ctx: RegisterContext) {
    super(ctx, 'used-secrets', secrets)
    this.#ctx = ctx
  }

  override async registerIndices() {
    this.#ctx.virtual.store(pods).addIndex('secrets', (pod) => secretsOf(pod).map(formatKey))
  }

  override modifyController(watches: Watches) {
    watches.watch(pods, { side: 'virtual', keysOf: secretsOf })
  }

  override async syncDown(ctx: SyncContext, virtual: DeepReadonly<Secret>) {
    if (!this.#isUsed(virtual)) return undefined
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }

  override sync(ctx: SyncContext, { host, virtual }: Pair<Secret>) {
    if (!this.#isUsed(virtual)) return this.syncDownDelete(ctx, host)
    return this.syncDownUpdate(ctx, virtual, this.translateUpdate(host, virtual))
  }

  #isUsed(secret: DeepReadonly<Secret>): boolean {
    const key = formatKey({ namespace: secret.metadata.namespace ?? '', name: secret.metadata.name ?? '' })
    return this.#ctx.virtual.store(pods).byIndex('secrets', key).length > 0
  }
}

function secretsOf(pod: Pod): Key[] {
  const { namespace } = keyOf(pod)
  const volumes = pod.spec?.volumes ?? []
  return volumes.flatMap(({ secret }) => (secret?.secretName ? [{ namespace, name: secret.secretName }] : []))
}

export function register(plugin: Plugin, ctx: RegisterContext): void {
  plugin.register(new UsedSecrets(ctx))
}
