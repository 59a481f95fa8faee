import omit from 'lodash/omit.js'
import type { Cluster } from '../../engine/cluster/cluster.js'
import type { Contest } from '../../engine/controller/contested-fields.js'
import { formatKey, type Key, keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { apiVersionOf, formatResource, type Resource } from '../../engine/kube/resource.js'
import { mayRefer, type Owner, ownerReference } from '../owner/owner.js'
import { ownerLabels } from '../owner/owner-labels.js'
import { encodeStringData } from './encode-string-data.js'
import { stripAbsent } from './strip-absent.js'

/**
 * The existing objects that may be taken over, among those that nothing controls: those for which a function returns
 * true, or those whose owner label and annotations name the primary.
 */
export type Adoption<T> =
  | 'by-label'
  // A method, so that a list may hold kinds of several types of objects.
  | { adopts(live: T): boolean }['adopts']

/** One call of `ctx.apply`. */
export interface ApplyRequest<T extends KubeObject = KubeObject> {
  readonly cluster: Cluster
  readonly resource: Resource<T>
  /** The fields that the controller wants, and no others. */
  readonly intent: T
  /** The key of the primary object whose run applies. An intent without a namespace gets the namespace of this key. */
  readonly primary: Key
  /** Left out for an object that others own. */
  readonly owner?: Owner
  /** Reads whether the owner exists and is not being deleted; the cache may still hold a deleted owner. */
  isOwnerAlive?(): Promise<boolean>
  /** Whether an object without an owner may be taken over; default never. */
  adopt?: Adoption<T>
  /** Called with the paths of the fields that admission changed to other values than the intended ones. */
  onAltered?(paths: readonly string[]): void
  /** Called if other writers change fields back each time that these are applied. */
  onContested?(contest: Contest): void
  /** Why fields are taken from other managers of an object that others own; default they are not. */
  readonly force?: string
  /** The fields that the controller gives up, such as `spec.replicas`; default none. */
  readonly release?: readonly string[]
  /** Whether the object is deleted and created again if fields that differ are immutable; default false. */
  readonly recreate?: Recreate
}

/** Whether an object may be deleted and created again; `with-data` also allows this for an object that holds data. */
export type Recreate = boolean | 'with-data'

/** The place of an object in all clusters of a program, as text. */
export function placeId({ cluster, resource }: Pick<ApplyRequest, 'cluster' | 'resource'>, key: Key): string {
  return `${cluster.name} ${formatResource(resource)} ${formatKey(key)}`
}

/**
 * Metadata that the API server sets, and that no manager owns. Objects that Go programs encode contain some of these
 * members.
 */
const serverFields = [
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'generation',
  'selfLink',
]

/**
 * The object to send: the intent without absent members, with its identity, and with an owner reference, or owner
 * labels where a reference would be illegal.
 */
export function completeIntent<T extends KubeObject>(request: ApplyRequest<T>): T {
  const { resource, primary } = request
  const stripped = encodeStringData(resource, stripAbsent(request.intent))
  const { namespace: named = primary.namespace, ...metadata } = omit(stripped.metadata, serverFields)
  return {
    ...stripped,
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    metadata: {
      ...metadata,
      ...(resource.namespaced && { namespace: named }),
      ...ownerMetadata(request as ApplyRequest, metadata, resource.namespaced ? named : ''),
    },
  }
}

function ownerMetadata(
  { cluster, owner, adopt }: Pick<ApplyRequest, 'cluster' | 'owner' | 'adopt'>,
  { labels, annotations, ownerReferences = [] }: KubeObject['metadata'],
  namespace: string,
): KubeObject['metadata'] {
  if (!owner) return {}
  const isReferring = mayRefer(owner, { cluster: cluster.name, namespace })
  const isLabelled = !isReferring || adopt === 'by-label'
  const added = ownerLabels(owner)
  return {
    ...(isReferring && { ownerReferences: [...ownerReferences, ownerReference(owner)] }),
    ...(isLabelled && {
      labels: { ...labels, ...added.labels },
      annotations: { ...annotations, ...added.annotations },
    }),
  }
}

/** The key of an intended object. */
export function keyOfIntent({
  resource,
  intent,
  primary,
}: Pick<ApplyRequest, 'resource' | 'intent' | 'primary'>): Key {
  const key = keyOf(intent)
  if (!resource.namespaced) return { namespace: '', name: key.name }
  return { namespace: key.namespace || primary.namespace, name: key.name }
}
