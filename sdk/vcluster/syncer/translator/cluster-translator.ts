import { PluginError } from '../../../engine/kube/error.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { requireResource } from '../../../engine/kube/require-resource.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { checkSpelling, type OptionTypes } from '../../../engine/manager/check-options.js'
import type { LabelMode, RegisterContext } from '../../context/register-context.js'
import { requireContext } from '../../context/require-context.js'
import { clusterNaming } from '../../naming/naming.js'
import { Translator } from './translator.js'
import { type TranslatorOptions, translatorTypes } from './translator-options.js'

/** Options of {@link ClusterTranslator}. */
export interface ClusterTranslatorOptions extends TranslatorOptions {
  /** How label keys are written on the host; default as the vcluster writes them (`ctx.labelMode`). */
  labelMode?: LabelMode
}

const optionTypes: OptionTypes<ClusterTranslatorOptions> = { ...translatorTypes, labelMode: 'any' }

/**
 * A syncer of cluster-scoped objects, under vcluster's names: `high` of vcluster `vc` in namespace `team` becomes
 * `vcluster-high-x-team-x-vc`, and the marker label says `team-x-vc`, since all vclusters of the host cluster share its
 * cluster-scoped names. Copies have no owner. The plugin needs a ClusterRole on the host. Subclasses implement
 * `syncDown` and `sync`, and may override `virtualToHost` for other names (`NewClusterTranslator` in
 * `syncer/translator/cluster_translator.go` @ vcluster-sdk v0.4.2).
 *
 * @example
 * ```ts
 * class Classes extends ClusterTranslator<PriorityClass> {
 *   override syncDown(ctx: SyncContext, virtual: DeepReadonly<PriorityClass>) {
 *     return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
 *   }
 *   override sync(ctx: SyncContext, { host, virtual }: Pair<PriorityClass>) {
 *     return this.syncDownUpdate(ctx, virtual, this.translateUpdate(host, virtual))
 *   }
 * }
 * plugin.register(new Classes(ctx, 'priorityclass', priorityClasses))
 * ```
 */
export abstract class ClusterTranslator<T extends KubeObject = KubeObject> extends Translator<T> {
  /**
   * Throws `PluginError` with code `NOT_CLUSTER_SCOPED` for a namespaced kind, and a `TypeError` for a misspelt
   * option.
   */
  constructor(
    ctx: RegisterContext,
    name: string,
    resource: Resource<T>,
    options: ClusterTranslatorOptions = {},
  ) {
    requireContext(`the syncer ${name}`, ctx)
    requireResource(`the syncer ${name}`, resource)
    if (resource.namespaced) throw notClusterScopedError(name, resource)
    checkSpelling(`the syncer ${name}`, options, optionTypes)
    super(ctx, name, resource, { ...options, naming: clusterNaming(ctx, options.labelMode) })
  }
}

function notClusterScopedError(name: string, resource: Resource): PluginError {
  return new PluginError(
    'NOT_CLUSTER_SCOPED',
    `Syncer ${name} treats ${resource.plural} as cluster-scoped, but they are namespaced. ` +
      'Extend NamespacedTranslator, which puts their copies into the target namespace.',
  )
}
