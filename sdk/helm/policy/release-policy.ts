import { groupOfApiVersion } from '../../engine/kube/api-version.js'
import { isContainer } from '../../engine/kube/json-object.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { OptionTypes } from '../../engine/manager/check-options.js'

/**
 * The objects that releases may contain. Users who write custom resources write the values of releases, and charts
 * render values as templates, names and namespaces.
 */
export interface ReleasePolicy {
  /** The names of namespaces in addition to that of the release, each one in full; default none. */
  readonly namespaces?: readonly string[]
  /** Whether objects without a namespace are allowed, those in `crds/` included; default false. */
  readonly clusterScoped?: boolean
  /**
   * The allowed kinds, as `Deployment.apps` or `ConfigMap`; default all. A record that somebody edited may have objects
   * of these kinds, too; by default those of the kinds that the role `edit` may write.
   */
  readonly kinds?: readonly string[]
  /** Whether Pods may mount folders of their node; default false. */
  readonly hostPaths?: boolean
}

/** The members of a policy, for the check of the options that have one. */
export const policyTypes: OptionTypes<ReleasePolicy> = {
  namespaces: 'any',
  clusterScoped: 'any',
  kinds: 'any',
  hostPaths: 'any',
}

/** An object of a rendered chart. */
export interface PlacedObject {
  readonly object: KubeObject
  /** Whether the kind of the object has a namespace; `undefined` if the cluster does not serve the kind yet. */
  readonly namespaced: boolean | undefined
  /** The namespace that the object would be in. */
  readonly namespace: string
}

/** Types of Secrets with a special effect: the record of a release, and the credentials of an account. */
const refusedSecrets: ReadonlySet<string> = new Set([
  'helm.sh/release.v1',
  'kubernetes.io/service-account-token',
  'bootstrap.kubernetes.io/token',
])

/** The scope of a release. */
export interface ReleaseScope {
  /** The namespace of the release, which is always allowed. */
  readonly namespace: string
  /** The vcluster whose host the release is on. */
  readonly vcluster?: string | undefined
}

/** The objects that a policy does not allow, each with the reason. */
export function refusedObjects(
  policy: ReleasePolicy,
  objects: readonly PlacedObject[],
  scope: ReleaseScope,
): string[] {
  return objects.flatMap((placed) => {
    const reason = refusalReason(policy, placed, scope)
    return reason ? [`${nameOf(placed)} ${reason}`] : []
  })
}

/** A `lookup` of a release. */
export interface PlacedLookup {
  readonly query: { readonly namespace: string }
  readonly resource: Resource
  readonly releaseNamespace: string
}

/**
 * Whether templates may see the objects of a `lookup`. A release may look up what it may contain; without a policy,
 * objects in its own namespace.
 */
export function allowsLookup(
  { namespaces = [], clusterScoped = false, kinds }: ReleasePolicy = {},
  { query: { namespace }, resource: { group, kind, namespaced }, releaseNamespace }: PlacedLookup,
): boolean {
  if (kinds && !kinds.includes(group === '' ? kind : `${kind}.${group}`)) return false
  return namespaced ? [releaseNamespace, ...namespaces].includes(namespace) : clusterScoped
}

function refusalReason(
  { namespaces = [], clusterScoped = false, kinds, hostPaths = false }: ReleasePolicy,
  { object, namespaced, namespace }: PlacedObject,
  { namespace: releaseNamespace, vcluster }: ReleaseScope,
): string | undefined {
  if (kinds && !kinds.includes(kindOf(object))) return `is of the kind ${kindOf(object)}`
  if (namespaced === false && !clusterScoped) return 'has no namespace'
  if (namespaced !== false && namespace !== releaseNamespace && !namespaces.includes(namespace))
    return 'is in another namespace'
  if (isRefusedSecret(object)) return 'is a Secret of the control plane'
  if (namesVCluster(object)) return 'has a label or an annotation of vcluster'
  if (vcluster !== undefined && isCopyName(object.metadata.name ?? '', vcluster))
    return 'has a name as vcluster gives to its copies'
  if (!hostPaths && object.kind !== 'CustomResourceDefinition' && mountsNode(object))
    return 'mounts a folder of its node'
  return undefined
}

function kindOf({ apiVersion = '', kind = '' }: KubeObject): string {
  const group = groupOfApiVersion(apiVersion)
  return group === '' ? kind : `${kind}.${group}`
}

function nameOf({ object, namespaced, namespace }: PlacedObject): string {
  const { name = '' } = object.metadata
  return `${object.kind} ${namespaced === false ? name : `${namespace}/${name}`}`
}

function isRefusedSecret(object: KubeObject & { type?: unknown }): boolean {
  return kindOf(object) === 'Secret' && refusedSecrets.has(String(object.type))
}

/** Whether an object has labels or annotations of vcluster, which would treat it as one of its copies. */
function namesVCluster({ metadata: { labels, annotations } }: KubeObject): boolean {
  return Object.keys({ ...labels, ...annotations }).some((key) => key.startsWith('vcluster.loft.sh/'))
}

/** Whether vcluster may give a copy this name. Pods of tenants refer to copies by name, and could read the object. */
const isCopyName = (name: string, vcluster: string) =>
  name.endsWith(`-x-${vcluster}`) || (name.length >= 60 && /-[0-9a-f]{10}$/.test(name))

/** Whether a Pod in the object mounts a folder of its node. Many kinds contain Pods, at different depths. */
function mountsNode(object: KubeObject): boolean {
  const values: unknown[] = [object]
  while (values.length > 0) {
    const value = values.pop()
    if (!isContainer(value)) continue
    if (!Array.isArray(value) && isContainer(value.hostPath)) return true
    for (const member of Object.values(value)) values.push(member)
  }
  return false
}
