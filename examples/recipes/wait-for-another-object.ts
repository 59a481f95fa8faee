import {
  type ConfigMap,
  configMaps,
  type DeepReadonly,
  keyOf,
  NamespacedTranslator,
  type Pair,
  type Plugin,
  type RegisterContext,
  type SyncContext,
  secrets,
  type Watches,
} from 'vcluster-plugin-sdk'

/** Copies a ConfigMap as soon as the Secret of the same name exists. */
class CompleteConfigMaps extends NamespacedTranslator<ConfigMap> {
  override readonly runsAfterOwnWrites = false
  readonly #ctx: RegisterContext

  constructor(ctx: RegisterContext) {
    super(ctx, 'complete-configmaps', configMaps)
    this.#ctx = ctx
  }

  // Without this watch, the ConfigMap would wait until it changes itself.
  override modifyController(watches: Watches) {
    watches.watch(secrets, { side: 'virtual', keysOf: (secret) => [keyOf(secret)] })
  }

  override async syncDown(ctx: SyncContext, virtual: DeepReadonly<ConfigMap>) {
    if (!this.#ctx.virtual.store(secrets).get(ctx.key)) return undefined
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }

  override sync(ctx: SyncContext, { host, virtual }: Pair<ConfigMap>) {
    return this.syncDownUpdate(ctx, virtual, this.translateUpdate(host, virtual))
  }
}

export function register(plugin: Plugin, ctx: RegisterContext): void {
  plugin.register(new CompleteConfigMaps(ctx))
}
