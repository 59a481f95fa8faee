import { jsonEqual } from '../../engine/kube/json.js'
import type { KubeObject } from '../../engine/kube/object.js'

/**
 * Whether a change of an object runs keys. It is called with the object before and after the change, and only if both
 * are the same object by UID. It must be a pure function of its arguments.
 *
 * A predicate filters triggers, never caches. These run keys without asking it: the first list, a new object, a
 * deletion, the beginning of a deletion, a change that adds or removes a key, an annotation of the SDK such as
 * `<group>/paused`, a resync and a requeue. If it throws, the error is logged and the key runs.
 *
 * @example
 * ```ts
 * const sizeChanged: Predicate<Backup> = (backup, before) => backup.spec.size !== before.spec.size
 * ```
 */
export type Predicate<T extends KubeObject = KubeObject> = (object: T, before: T) => boolean

/**
 * A {@link Predicate}: the generation changed, so somebody changed what they want. Objects of kinds without a
 * generation, such as ConfigMaps, Secrets and Events, pass with each change.
 *
 * Without it a controller also repairs a status that somebody else overwrote. Use it for owned and watched kinds whose
 * status changes often and that the controller does not read.
 *
 * @example
 * ```ts
 * controller(backups, { owns: [owned(deployments, { predicate: generationChanged })], reconcile: () => {} })
 * ```
 */
export function generationChanged(object: KubeObject, before: KubeObject): boolean {
  const { generation, resourceVersion } = object.metadata
  if (generation === undefined || before.metadata.generation === undefined)
    return resourceVersion !== before.metadata.resourceVersion
  return generation !== before.metadata.generation
}

/**
 * A {@link Predicate}: a label changed.
 *
 * @example
 * ```ts
 * const predicate: Predicate = (pod, before) => generationChanged(pod, before) || labelsChanged(pod, before)
 * ```
 */
export function labelsChanged(object: KubeObject, before: KubeObject): boolean {
  return !jsonEqual(object.metadata.labels ?? {}, before.metadata.labels ?? {})
}

/**
 * A {@link Predicate}: an annotation changed.
 *
 * @example
 * ```ts
 * const predicate: Predicate = (pod, before) => generationChanged(pod, before) || annotationsChanged(pod, before)
 * ```
 */
export function annotationsChanged(object: KubeObject, before: KubeObject): boolean {
  return !jsonEqual(object.metadata.annotations ?? {}, before.metadata.annotations ?? {})
}
