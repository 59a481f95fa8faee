import { formatKey, type Key, keyOf } from '../../../engine/kube/key.js'
import type { KubeObject, ObjectMeta } from '../../../engine/kube/object.js'
import {
  hostObjectAnnotation,
  isOwnershipKey,
  madeByLabel,
  virtualManagedAnnotationsAnnotation,
} from '../../naming/ownership-keys.js'

/** Options of {@link virtualCopyMetadata}. */
export interface VirtualCopyMetadataOptions {
  /** The key of the copy in the virtual cluster. */
  key: Key
  /** The name of the syncer that makes the copy. */
  madeBy: string
  /** Selects the labels of the original that are copied. */
  acceptsLabel: (key: string) => boolean
  /** Selects the annotations of the original that are copied. */
  acceptsAnnotation: (key: string) => boolean
  /** The copy as it is; default a new one. */
  virtual?: KubeObject | undefined
}

/**
 * The name, labels and annotations of a virtual copy of a host object. The labels are those of the original, and one
 * with the name of the syncer. Annotations that only the virtual object has stay; an annotation from the original is
 * removed when it is removed there. Labels and annotations of vcluster and of this SDK hold for one cluster only, so
 * they are not copied.
 */
export function virtualCopyMetadata(host: KubeObject, options: VirtualCopyMetadataOptions): ObjectMeta {
  const { key, madeBy, acceptsLabel, acceptsAnnotation, virtual } = options
  const labels = Object.entries(host.metadata.labels ?? {}).filter(
    ([name]) => isShared(name) && acceptsLabel(name),
  )
  const copied = Object.entries(host.metadata.annotations ?? {}).filter(
    ([name]) => isShared(name) && acceptsAnnotation(name),
  )
  const copiedKeys = copied.map(([name]) => name).sort()
  const entries: [string, string][] = [...ownAnnotations(virtual), ...copied]
  entries.push([hostObjectAnnotation, formatKey(keyOf(host))])
  if (copiedKeys.length > 0) entries.push([virtualManagedAnnotationsAnnotation, copiedKeys.join('\n')])
  return {
    name: key.name,
    ...(key.namespace !== '' && { namespace: key.namespace }),
    labels: Object.fromEntries([...labels, [madeByLabel, madeBy]]),
    annotations: Object.fromEntries(entries),
  }
}

/** Annotations that did not come from an original. */
function ownAnnotations(virtual: KubeObject | undefined): [string, string][] {
  const annotations = virtual?.metadata.annotations ?? {}
  const copiedKeys = new Set(annotations[virtualManagedAnnotationsAnnotation]?.split('\n'))
  const recordKeys = [hostObjectAnnotation, virtualManagedAnnotationsAnnotation]
  return Object.entries(annotations).filter(([name]) => !copiedKeys.has(name) && !recordKeys.includes(name))
}

const isShared = (name: string) => !isOwnershipKey(name)
