import {
  type ConfigMap,
  configMaps,
  type DeepReadonly,
  keyOf,
  NamespacedTranslator,
  namespaces,
  type Pair,
  type Plugin,
  type RegisterContext,
  type SyncContext,
  type Watches,
} from 'vcluster-plugin-sdk'

/** Copies ConfigMaps, and writes the team of their namespace on each copy. */
class TeamConfigMaps extends NamespacedTranslator<ConfigMap> {
  override readonly runsAfterOwnWrites = false
  readonly #ctx: RegisterContext

  constructor(ctx: RegisterContext) {
    super(ctx, 'team-configmaps', configMaps)
    this.#ctx = ctx
  }

  override modifyController(watches: Watches) {
    const { virtual } = this.#ctx
    watches.watch(namespaces, {
      side: 'virtual',
      keysOf: ({ metadata }) => virtual.store(configMaps).list(metadata.name).map(keyOf),
    })
  }

  override transform(virtual: DeepReadonly<ConfigMap>): ConfigMap {
    const key = { namespace: '', name: virtual.metadata.namespace ?? '' }
    const team = this.#ctx.virtual.store(namespaces).get(key)?.metadata.labels?.team ?? 'none'
    return { ...structuredClone(virtual), data: { ...virtual.data, TEAM: team } }
  }

  override syncDown(ctx: SyncContext, virtual: DeepReadonly<ConfigMap>) {
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }

  override sync(ctx: SyncContext, { host, virtual }: Pair<ConfigMap>) {
    return this.syncDownUpdate(ctx, virtual, this.translateUpdate(host, virtual))
  }
}

export function register(plugin: Plugin, ctx: RegisterContext): void {
  plugin.register(new TeamConfigMaps(ctx))
}
