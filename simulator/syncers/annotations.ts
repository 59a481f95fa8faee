import type { Key } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import type { VClusterVersion } from '../vcluster-options.js'
import type { StringMap } from './labels.js'
import {
  managedAnnotations,
  managedLabels,
  objectHostName,
  objectHostNamespace,
  objectKind,
  objectName,
  objectNamespace,
  objectUid,
} from './metadata-keys.js'

const upTo20 = [objectName, objectNamespace, objectUid, managedAnnotations, managedLabels]
const since21 = [...upTo20, objectKind, objectHostName, objectHostNamespace]

/** Whether an annotation belongs to one of the two objects alone, so that it is never copied to the other. */
export const isObjectAnnotation = (key: string, version: VClusterVersion): boolean =>
  (version === '0.19' ? upTo20 : since21).includes(key)

/** Input of {@link objectAnnotations}. */
export interface DescribedCopy {
  version: VClusterVersion
  resource: Pick<Resource, 'group' | 'version' | 'kind'>
  virtual: KubeObject
  hostKey: Key
}

/** The annotations that name the original of a copy. Since 0.21 they also name the kind and the copy. */
export function objectAnnotations({ version, resource, virtual, hostKey }: DescribedCopy): StringMap {
  const { name = '', namespace = '', uid } = virtual.metadata
  const original = {
    [objectName]: name,
    [objectNamespace]: namespace,
    ...(uid !== undefined && { [objectUid]: uid }),
  }
  if (version === '0.19') return original
  return {
    ...original,
    [objectKind]: kindText(resource),
    [objectHostName]: hostKey.name,
    [objectHostNamespace]: hostKey.namespace,
  }
}

/** A kind in Go's format: `/v1, Kind=ConfigMap`, `apps/v1, Kind=Deployment`. */
export const kindText = ({ group, version, kind }: DescribedCopy['resource']): string =>
  `${group}/${version}, Kind=${kind}`

/**
 * The annotations of a copy: those of its original, those that only the copy has, and those that vcluster
 * writes. A copied annotation is removed when the original no longer has it.
 */
export function hostAnnotations(copy: DescribedCopy, host: StringMap = {}): Record<string, string> {
  const isNeverCopied = (key: string) => isObjectAnnotation(key, copy.version)
  const copied = Object.entries(copy.virtual.metadata.annotations ?? {}).filter(
    ([key]) => !isNeverCopied(key),
  )
  const keys = copied.map(([key]) => key).sort()
  const copiedBefore = host[managedAnnotations]?.split('\n') ?? []
  const keptOfHost = Object.entries(host).filter(([key, value]) =>
    // The list of copied annotations is written again below.
    isNeverCopied(key) ? value !== '' && key !== managedAnnotations : !copiedBefore.includes(key),
  )
  return {
    ...Object.fromEntries([...keptOfHost, ...copied]),
    ...objectAnnotations(copy),
    ...(keys.length > 0 && { [managedAnnotations]: keys.join('\n') }),
  }
}
