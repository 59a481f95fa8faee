import {
  type ConfigMap,
  configMaps,
  type Key,
  keyOf,
  type Plugin,
  type RegisterContext,
  UpTranslator,
} from 'vcluster-plugin-sdk'

/** Shows `settings-NAME` of the target namespace as the ConfigMap NAME in the namespace `platform`. */
class Settings extends UpTranslator<ConfigMap> {
  readonly #ctx: RegisterContext

  constructor(ctx: RegisterContext) {
    super(ctx, 'settings', configMaps)
    this.#ctx = ctx
  }

  override virtualToHost({ namespace, name }: Key): Key | undefined {
    if (namespace !== 'platform') return undefined
    return { namespace: this.#ctx.targetNamespace, name: `settings-${name}` }
  }

  override hostToVirtual(host: ConfigMap): Key {
    return { namespace: 'platform', name: keyOf(host).name.slice('settings-'.length) }
  }

  override isManaged(host: ConfigMap): boolean {
    return keyOf(host).name.startsWith('settings-')
  }
}

export function register(plugin: Plugin, ctx: RegisterContext): void {
  plugin.register(new Settings(ctx))
}
