import type { Key } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { apiVersionOf, type Resource } from '../../engine/kube/resource.js'
import {
  controlledByAnnotation,
  hostFinalizersAnnotation,
  hostNameAnnotation,
  hostNamespaceAnnotation,
  importedAnnotation,
  isOwnershipKey,
  kindAnnotation,
  lastSyncedAnnotation,
  managedAnnotationsAnnotation,
  managedLabelsAnnotation,
  nameAnnotation,
  namespaceAnnotation,
  skipBacksyncAnnotation,
  uidAnnotation,
} from './ownership-keys.js'

/** The annotations that every write of a copy sets, whatever values both objects have. */
const rewritten: ReadonlySet<string> = new Set([
  nameAnnotation,
  namespaceAnnotation,
  uidAnnotation,
  kindAnnotation,
  hostNameAnnotation,
  hostNamespaceAnnotation,
  managedAnnotationsAnnotation,
])

/**
 * Annotations that tell controllers what to do with the object they stand on: a tenant must not steer what happens on
 * the host. None crosses, as no ownership annotation does, and what the host itself says by one of these stays.
 */
const sideBound = [
  controlledByAnnotation,
  skipBacksyncAnnotation,
  importedAnnotation,
  managedLabelsAnnotation,
  hostFinalizersAnnotation,
  lastSyncedAnnotation,
]

/** Options of {@link hostAnnotations}. */
export interface HostAnnotationsOptions {
  /** The copy's key. */
  hostKey: Key
  resource: Resource
  /** Keys that belong to the host: never copied, never removed. See {@link excludedKeys}. */
  excluded: ReadonlySet<string>
  /** Selects the other annotations of the original that are copied. */
  accepts: (key: string) => boolean
}

/** The author's excluded annotations and those that never cross. */
export function excludedKeys(authors: readonly string[]): ReadonlySet<string> {
  return new Set([...sideBound, ...authors])
}

/**
 * All the annotations of a copy: its original's, those that only the host has, and those that prove ownership. An
 * annotation that came from the original and that the original no longer has is removed; `managed-annotations` has the
 * keys of the annotations from the original (`pkg/util/translate/single_namespace.go` @ vcluster v0.20.1). Narrower
 * than there, no annotation of the original crosses whose key is vcluster's or ours (`force-sync` does there): where
 * the host is itself a virtual cluster, it would be obeyed.
 *
 * All ownership annotations are written for every version of vcluster. Those before 0.21 ignore `object-kind`,
 * `object-host-name` and `object-host-namespace`. Those from 0.21 on mistake a copy without them for a new object to
 * import, which would happen to all copies after an upgrade.
 */
export function hostAnnotations(
  virtual: KubeObject,
  host: KubeObject | undefined,
  options: HostAnnotationsOptions,
): Record<string, string> {
  const managed = managedEntries(virtual, options)
  const managedKeys = managed.map(([key]) => key).sort()
  const entries = [...hostOnlyEntries(host, options), ...managed, ...markEntries(virtual, options)]
  if (managedKeys.length > 0) entries.push([managedAnnotationsAnnotation, managedKeys.join('\n')])
  return Object.fromEntries(entries)
}

function managedEntries(
  virtual: KubeObject,
  { excluded, accepts }: HostAnnotationsOptions,
): [string, string][] {
  return Object.entries(virtual.metadata.annotations ?? {}).filter(
    ([key]) => !isOwnershipKey(key) && !excluded.has(key) && accepts(key),
  )
}

function hostOnlyEntries(
  host: KubeObject | undefined,
  { excluded }: HostAnnotationsOptions,
): [string, string][] {
  const annotations = host?.metadata.annotations ?? {}
  const cameFromOriginal = new Set(annotations[managedAnnotationsAnnotation]?.split('\n'))
  return Object.entries(annotations).filter(
    ([key]) => !rewritten.has(key) && (excluded.has(key) || !cameFromOriginal.has(key)),
  )
}

function markEntries(virtual: KubeObject, { hostKey, resource }: HostAnnotationsOptions): [string, string][] {
  const { name = '', namespace, uid } = virtual.metadata
  const entries: [string, string][] = [
    [nameAnnotation, name],
    [kindAnnotation, kindMark(resource)],
    [hostNameAnnotation, hostKey.name],
  ]
  if (uid) entries.push([uidAnnotation, uid])
  if (namespace) entries.push([namespaceAnnotation, namespace])
  if (hostKey.namespace) entries.push([hostNamespaceAnnotation, hostKey.namespace])
  return entries
}

/**
 * A kind as Go's `GroupVersionKind.String()` writes it: `/v1, Kind=ConfigMap`, `apps/v1, Kind=Deployment`.
 */
export function kindMark(resource: Pick<Resource, 'group' | 'version' | 'kind'>): string {
  const apiVersion = apiVersionOf(resource)
  return `${resource.group === '' ? '/' : ''}${apiVersion}, Kind=${resource.kind}`
}
