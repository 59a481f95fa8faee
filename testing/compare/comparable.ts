import { canonicalJson } from '../../sdk/engine/kube/canonical-json.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { isServerMetadata } from './server-metadata.js'
import { withoutAllocations } from './service-allocations.js'

/** Options of {@link comparable}. */
export interface ComparableOptions {
  /** The object as the test states it; undefined for an object that it does not expect. */
  readonly stated: KubeObject | undefined
  readonly isService: boolean
}

/**
 * An object as canonical JSON without the metadata that an API server sets, and without parts that the test does not
 * state: the status, owner references, vcluster's labels and annotations, and the addresses and ports that an API
 * server allocates for a Service.
 */
export function comparable(object: KubeObject, { stated, isService }: ComparableOptions): string {
  const { apiVersion: _, kind: __, metadata, ...rest } = object
  const hasStatus = stated !== undefined && 'status' in stated
  const content = Object.fromEntries(Object.entries(rest).filter(([name]) => hasStatus || name !== 'status'))
  const compared = { ...content, metadata: comparableMetadata(metadata, stated?.metadata ?? {}) }
  return canonicalJson(isService ? withoutAllocations(compared, stated ?? {}) : compared)
}

type Metadata = KubeObject['metadata']

function comparableMetadata({ ownerReferences, ...metadata }: Metadata, stated: Metadata): object {
  const { labels, annotations, ...rest } = metadata
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([name]) => !isServerMetadata(name))),
    labels: comparableKeys(labels, stated.labels),
    annotations: comparableKeys(annotations, stated.annotations),
    ...(stated.ownerReferences && { ownerReferences: (ownerReferences ?? []).map(comparableOwner) }),
  }
}

type OwnerReference = NonNullable<Metadata['ownerReferences']>[number]

/** A test cannot know the UID of an owner. With a wrong one the garbage collector deletes the object. */
const comparableOwner = ({
  uid: _,
  controller = false,
  blockOwnerDeletion = false,
  ...owner
}: OwnerReference) => ({ ...owner, controller, blockOwnerDeletion })

const keyOfVCluster = /^(?:plugin\.)?vcluster\.loft\.sh\//

/** The labels or annotations without those of vcluster that the test does not state. */
const comparableKeys = (map: Metadata['labels'] = {}, stated: Metadata['labels'] = {}) =>
  Object.fromEntries(
    Object.entries(map).filter(([key]) => Object.hasOwn(stated, key) || !keyOfVCluster.test(key)),
  )
