import { PluginError } from '../../../engine/kube/error.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { requireResource } from '../../../engine/kube/require-resource.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { checkSpelling, type OptionTypes } from '../../../engine/manager/check-options.js'
import type { RegisterContext } from '../../context/register-context.js'
import { requireContext } from '../../context/require-context.js'
import { nameLimit } from '../../naming/name-limit.js'
import { type NamespacedNamingOptions, namespacedNaming } from '../../naming/naming.js'
import { Translator } from './translator.js'
import { type TranslatorOptions, translatorTypes } from './translator-options.js'

/** Options of {@link NamespacedTranslator}. */
export interface NamespacedTranslatorOptions extends TranslatorOptions, NamespacedNamingOptions {}

/** The names of {@link NamespacedTranslatorOptions}, for the check of options that have these. */
export const namespacedTypes: OptionTypes<NamespacedTranslatorOptions> = {
  ...translatorTypes,
  names: 'any',
  namespaces: 'any',
  labelMode: 'any',
}

/**
 * A syncer of namespaced objects into the target namespace, under vcluster's names: `greeting` in `default` of vcluster
 * `vc` becomes `greeting-x-default-x-vc`. Subclasses implement `syncDown` and `sync`.
 *
 * @example
 * ```ts
 * class ConfigMaps extends NamespacedTranslator<ConfigMap> {
 *   override syncDown(ctx: SyncContext, virtual: DeepReadonly<ConfigMap>) {
 *     return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
 *   }
 *   override sync(ctx: SyncContext, { host, virtual }: Pair<ConfigMap>) {
 *     return this.syncDownUpdate(ctx, virtual, this.translateUpdate(host, virtual))
 *   }
 * }
 * plugin.register(new ConfigMaps(ctx, 'configmap', configMaps))
 * ```
 */
export abstract class NamespacedTranslator<T extends KubeObject = KubeObject> extends Translator<T> {
  /**
   * Throws `PluginError` with code `NOT_NAMESPACED` for a cluster-scoped kind, and a `TypeError` for a misspelt
   * option.
   */
  constructor(
    ctx: RegisterContext,
    name: string,
    resource: Resource<T>,
    options: NamespacedTranslatorOptions = {},
  ) {
    requireContext(`the syncer ${name}`, ctx)
    requireResource(`the syncer ${name}`, resource)
    if (!resource.namespaced) throw notNamespacedError(name, resource)
    checkSpelling(`the syncer ${name}`, options, namespacedTypes)
    const naming = namespacedNaming(ctx, { ...options, maxLength: nameLimit(resource) })
    super(ctx, name, resource, { ...options, naming })
  }
}

function notNamespacedError(name: string, resource: Resource): PluginError {
  return new PluginError(
    'NOT_NAMESPACED',
    `Syncer ${name} treats ${resource.plural} as namespaced, but they are cluster-scoped. ` +
      'Their copies would be outside the target namespace. Extend ClusterTranslator.',
  )
}
