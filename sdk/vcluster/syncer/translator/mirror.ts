import { asItsType } from '../../../engine/kube/deep-readonly.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { requireResource } from '../../../engine/kube/require-resource.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { checkOptions, type OptionTypes } from '../../../engine/manager/check-options.js'
import { plainOptions } from '../../../engine/manager/plain-options.js'
import type { RegisterContext } from '../../context/register-context.js'
import { requireContext } from '../../context/require-context.js'
import type { NameMappings } from '../../naming/name-mappings.js'
import { type FieldPath, parseExcludedPath, withFieldsKept } from '../fields/field-paths.js'
import type { Syncer } from '../syncer.js'
import { BothMirror, type BothMirrorOptions } from './both-mirror.js'
import { DownMirror, type MirrorDownOptions, type MirrorOptions } from './down-mirror.js'
import { FromHostTranslator, fromHostTypes } from './from-host-translator.js'
import type { HostSelect } from './host-selection.js'
import { MirrorTranslator } from './mirror-translator.js'
import { namespacedTypes } from './namespaced-translator.js'
import type { UpTranslatorOptions } from './up-translator-options.js'

const toHostTypes: OptionTypes<Omit<MirrorDownOptions<KubeObject>, 'transform'>> = {
  ...namespacedTypes,
  name: 'any',
  select: 'any',
  excludeFields: 'any',
  statusUp: 'any',
  honoursForceSync: 'any',
}

const downTypes: OptionTypes<MirrorDownOptions<KubeObject>> = { ...toHostTypes, transform: 'any' }

const bothTypes: OptionTypes<MirrorBothOptions<KubeObject>> = { ...toHostTypes, onConflict: 'any' }

const upTypes: OptionTypes<MirrorUpOptions<KubeObject>> = {
  ...fromHostTypes,
  name: 'any',
  transform: 'any',
  excludeFields: 'any',
}

/**
 * A syncer that copies all objects of a kind to the host, namespaced or cluster-scoped, and keeps the copies equal to
 * their originals: `plugin.register(mirrorDown(ctx, configMaps))`.
 *
 * @example
 * ```ts
 * const ctx = await plugin.init()
 * plugin.register(mirrorDown(ctx, configMaps))
 * await plugin.start()
 * ```
 */
export function mirrorDown<T extends KubeObject>(
  ctx: RegisterContext,
  resource: Resource<T>,
  options: MirrorDownOptions<T> = {},
): Syncer<T> {
  requireContext('a mirror', ctx)
  requireResource('a mirror', resource)
  checkOptions('mirrorDown', options, downTypes)
  return new DownMirror(ctx, resource, plainOptions(options, downTypes))
}

/** Options of {@link mirrorBoth}. */
export interface MirrorBothOptions<T extends KubeObject> extends Omit<BothMirrorOptions<T>, 'transform'> {}

/**
 * A syncer like {@link mirrorDown} that also copies each top-level field that only the host has changed back to the
 * original. If both sides have changed a field, the value of the virtual object counts, unless `onConflict` decides
 * otherwise. Labels and annotations are copied only to the host, unless `remembers` names them in addition to `*`. A
 * copy that was deleted by hand is created again. Values that the host's API server fills in count as changes of the
 * host, unless `excludeFields` names their fields.
 *
 * An annotation of the copy records both objects as they were when they were last equal. So a change is also seen if it
 * was made while no replica ran.
 *
 * @example
 * ```ts
 * const ctx = await plugin.init()
 * plugin.register(mirrorBoth(ctx, configMaps, { onConflict: 'host' }))
 * await plugin.start()
 * ```
 */
export function mirrorBoth<T extends KubeObject>(
  ctx: RegisterContext,
  resource: Resource<T>,
  options: MirrorBothOptions<T> = {},
): Syncer<T> {
  requireContext('a mirror', ctx)
  requireResource('a mirror', resource)
  checkOptions('mirrorBoth', options, bothTypes)
  return new BothMirror(ctx, resource, plainOptions(options, bothTypes))
}

/** Options of {@link mirrorUp}. */
export interface MirrorUpOptions<T extends KubeObject>
  extends Omit<MirrorOptions<T>, 'select'>,
    UpTranslatorOptions {
  /**
   * Selects the host objects that are copied; default those with the label `plugin.vcluster.loft.sh/sync-from-host:
   * "true"`, those that a mapping names, and all of the cluster-scoped kinds that {@link MirrorTranslator} shows as a
   * whole. The copy of an object that is no longer selected is deleted.
   */
  select?: HostSelect<T>
  /** Fields that are not copied, and not changed in the virtual cluster; default none. */
  excludeFields?: readonly FieldPath[]
  /** The places of the copies of namespaced objects. Cluster-scoped objects keep their names. */
  mappings?: NameMappings
}

/**
 * A syncer that shows host objects of a kind in the virtual cluster: cluster-scoped objects under their own names,
 * namespaced objects by `mappings`. Nothing is written to the host. Only objects that a person has labelled are shown,
 * see `select`.
 *
 * @example
 * ```ts
 * plugin.register(mirrorUp(ctx, secrets, { mappings: { '': 'default' } }))
 * plugin.register(mirrorUp(ctx, storageClasses))
 * ```
 */
export function mirrorUp<T extends KubeObject>(
  ctx: RegisterContext,
  resource: Resource<T>,
  options: MirrorUpOptions<T> = {},
): Syncer<T> {
  requireContext('a mirror', ctx)
  requireResource('a mirror', resource)
  checkOptions('mirrorUp', options, upTypes)
  const plain = plainOptions(options, upTypes)
  const { name = `${resource.kind.toLowerCase()}-up`, mappings = {} } = plain
  const syncer = resource.namespaced
    ? new NamespacedUpMirror(ctx, name, resource, { ...plain, mappings })
    : new ClusterUpMirror(ctx, name, resource, plain)
  return withMirrorOptions(syncer, plain)
}

class NamespacedUpMirror<T extends KubeObject> extends FromHostTranslator<T> {
  override readonly runsAfterOwnWrites = false
}

class ClusterUpMirror<T extends KubeObject> extends MirrorTranslator<T> {
  override readonly runsAfterOwnWrites = false
}

/** Changes a syncer so that it follows the options `transform` and `excludeFields`, and returns the same syncer. */
function withMirrorOptions<T extends KubeObject>(
  syncer: FromHostTranslator<T> | MirrorTranslator<T>,
  { transform = (host) => asItsType<T>(host), excludeFields = [] }: MirrorUpOptions<T>,
): Syncer<T> {
  const excluded = excludeFields.map(parseExcludedPath)
  const translateUpdate = syncer.translateUpdate.bind(syncer)
  syncer.transform = (host) => withFieldsKept(transform(host), excluded)
  syncer.translateUpdate = (host, virtual) => {
    const updated = translateUpdate(host, withFieldsKept(asItsType<T>(virtual), excluded))
    return updated && withFieldsKept(updated, excluded, asItsType<T>(virtual))
  }
  return syncer
}
