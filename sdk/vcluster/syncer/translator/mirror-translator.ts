import { PluginError } from '../../../engine/kube/error.js'
import { type Key, keyOf } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { checkSpelling, type OptionTypes } from '../../../engine/manager/check-options.js'
import type { RegisterContext } from '../../context/register-context.js'
import { requireContext } from '../../context/require-context.js'
import { type HostSelect, HostSelection } from './host-selection.js'
import { UpTranslator } from './up-translator.js'
import { type UpTranslatorOptions, upTranslatorTypes } from './up-translator-options.js'

/** Options of {@link MirrorTranslator}. */
export interface MirrorTranslatorOptions<T extends KubeObject = KubeObject> extends UpTranslatorOptions {
  /**
   * Selects the objects that are copied; default all of a kind that says what the cluster offers (StorageClasses,
   * PriorityClasses, and the other classes), and of other kinds the objects with the label
   * `plugin.vcluster.loft.sh/sync-from-host: "true"`. The copy of an object that is no longer selected is deleted.
   */
  select?: HostSelect<T>
}

const optionTypes: OptionTypes<MirrorTranslatorOptions> = { ...upTranslatorTypes, select: 'any' }

/**
 * Shows cluster-scoped host objects in the virtual cluster under their own names. Copies that any vcluster
 * made on the host are not originals (`NewMirrorPhysicalTranslator` in
 * `syncer/translator/mirror_translator.go` @ vcluster-sdk v0.4.2, which takes over an existing object: here
 * the option `adopts` does), nor are vcluster's own objects, see {@link hostInternalReason}.
 *
 * @example
 * ```ts
 * plugin.register(new MirrorTranslator(ctx, 'storageclass', storageClasses))
 * ```
 */
export class MirrorTranslator<T extends KubeObject = KubeObject> extends UpTranslator<T> {
  readonly #selection: HostSelection<T>

  /**
   * Throws `PluginError` with code `NOT_CLUSTER_SCOPED` for a namespaced kind, and a `TypeError` for a misspelt
   * option.
   */
  constructor(
    ctx: RegisterContext,
    name: string,
    resource: Resource<T>,
    options: MirrorTranslatorOptions<T> = {},
  ) {
    requireContext(`the syncer ${name}`, ctx)
    checkSpelling(`the syncer ${name}`, options, optionTypes)
    const { select, ...upOptions } = options
    if (resource.namespaced) throw namespacedError(name, resource)
    super(ctx, name, resource, upOptions)
    this.#selection = new HostSelection({ resource, select, logger: ctx.logger })
  }

  virtualToHost(key: Key): Key | undefined {
    return key
  }

  hostToVirtual(host: T): Key | undefined {
    return this.#selection.has(host) ? keyOf(host) : undefined
  }

  isManaged(host: T): boolean {
    return this.hostToVirtual(host) !== undefined
  }

  protected override reasonAgainst(host: T): string {
    return this.#selection.reasonAgainst(host)
  }
}

function namespacedError(name: string, { plural }: Resource): PluginError {
  const message =
    `Syncer ${name} would mirror ${plural} under their own names, but they are namespaced, and the two clusters ` +
    'have different namespaces. Extend FromHostTranslator, whose mappings assign namespaces.'
  return new PluginError('NOT_CLUSTER_SCOPED', message)
}
