import type { Key } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import {
  controlledByAnnotation,
  controlledByLabel,
  forceSyncAnnotation,
  hostNameAnnotation,
  hostNamespaceAnnotation,
  kindAnnotation,
  markerLabel,
  nameAnnotation,
  namespaceAnnotation,
  uidAnnotation,
} from '../naming/ownership-keys.js'
import type { CopyRules } from './copy-rules.js'

/** The rules that a copy must match to be ours. */
export interface OwnershipRules {
  resource: Resource
  /** The value of the marker label. */
  marker: string
  /** The key of the copy of a virtual object. */
  hostKey: (key: Key) => Key | undefined
}

/** The virtual object that a host object names as its original. It may be wrong; see {@link provenSource}. */
export function claimedSource(host: KubeObject): Key | undefined {
  const annotations = host.metadata.annotations
  const name = annotations?.[nameAnnotation]
  return name ? { name, namespace: annotations?.[namespaceAnnotation] ?? '' } : undefined
}

/**
 * The virtual object of which a host object is provably the copy: marker label, `object-*` annotations and the name
 * computed from them agree. Annotations that older vclusters and SDKs did not write (UID, kind, host name and
 * namespace) may be missing, but must not differ, except for the version of the kind.
 */
export function provenSource(
  host: KubeObject,
  { resource, marker, hostKey }: OwnershipRules,
): Key | undefined {
  const { name, namespace = '', labels, annotations } = host.metadata
  const source = claimedSource(host)
  if (!source || labels?.[markerLabel] !== marker) return undefined
  const expected = hostKey(source)
  if (expected?.name !== name || expected?.namespace !== namespace) return undefined
  const agrees =
    isMissingOr(annotations?.[hostNameAnnotation], name) &&
    isMissingOr(annotations?.[hostNamespaceAnnotation], namespace) &&
    isOfKind(annotations?.[kindAnnotation], resource)
  return agrees ? source : undefined
}

/**
 * Whether a host object is the copy of `key`. It is not enough that the object is provably ours, because two originals
 * may get the same host name.
 */
export function isCopyOf<T extends KubeObject>(syncer: CopyRules<T>, host: T, key: Key): boolean {
  const source = syncer.sourceOf(host)
  return source?.name === key.name && source.namespace === key.namespace
}

/**
 * The UID of the original a copy was made from; `undefined` on copies of old SDKs, until their next update.
 */
export function sourceUid(host: KubeObject): string | undefined {
  return host.metadata.annotations?.[uidAnnotation] || undefined
}

/**
 * Whether another controller manages an object: it has the `controlled-by` label, or the annotation of that name names
 * another syncer (`pkg/controllers/syncer/syncer.go` @ vcluster v0.20.1).
 */
export function isControlledByOther(object: KubeObject, syncerName: string): boolean {
  const { labels, annotations } = object.metadata
  const controller = annotations?.[controlledByAnnotation]
  return Boolean(labels?.[controlledByLabel]) || Boolean(controller && controller !== syncerName)
}

/**
 * Whether the user of a virtual object asks for its copy although nothing refers to it, by the annotation
 * `vcluster.loft.sh/force-sync` (`pkg/controllers/resources/configmaps/syncer.go` @ vcluster v0.20.1).
 */
export function isForceSynced(virtual: KubeObject): boolean {
  return virtual.metadata.annotations?.[forceSyncAnnotation] === 'true'
}

function isMissingOr(annotation: string | undefined, value: string | undefined): boolean {
  return !annotation || annotation === value
}

function isOfKind(annotation: string | undefined, { group, kind }: Resource): boolean {
  return !annotation || (annotation.startsWith(`${group}/`) && annotation.endsWith(`, Kind=${kind}`))
}
