import type { Key } from '../../../engine/kube/key.js'
import type { KubeObject, ObjectMeta, OwnerReference } from '../../../engine/kube/object.js'

/** Options of {@link hostMetadata}. */
export interface HostMetadataOptions {
  /** The copy's key. */
  hostKey: Key
  labels: Record<string, string>
  annotations: Record<string, string>
  /** The owner of the copy; default none. */
  owner?: OwnerReference | undefined
}

/**
 * The metadata of a new copy: only what is given here, nothing else of the original's metadata. Its UID, times,
 * finalizers, owners and whatever else the virtual cluster's server keeps there mean nothing on the host
 * (`ResetObjectMetadata` in `pkg/util/translate/translate.go` @ vcluster v0.20.1).
 */
export function hostMetadata(
  virtual: KubeObject,
  { hostKey, labels, annotations, owner }: HostMetadataOptions,
): ObjectMeta {
  const { name, namespace } = hostKey
  return {
    name,
    ...(namespace !== '' && { namespace }),
    labels,
    annotations,
    ...(owner && { ownerReferences: [{ ...owner, controller: hasController(virtual) }] }),
  }
}

function hasController(object: KubeObject): boolean {
  return object.metadata.ownerReferences?.some(({ controller }) => controller === true) ?? false
}
