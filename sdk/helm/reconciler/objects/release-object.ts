import { customResourceDefinitions } from '../../../engine/kube/builtin.js'
import { formatKey, type Key } from '../../../engine/kube/key.js'
import type { KubeObject, OwnerReference } from '../../../engine/kube/object.js'
import { apiVersionOf, formatResource, isSecret, type Resource } from '../../../engine/kube/resource.js'
import { mayRefer, type Owner, ownerReference } from '../../../operator/owner/owner.js'
import type { RenderedObject } from '../../render/renderer.js'
import { OperationError } from '../problem/problem.js'
import type { ServedKinds } from './capabilities.js'

/** The cluster of a release. */
export interface ReleaseTarget {
  readonly cluster: string
  /** The vcluster's Service, for a release on the host. */
  readonly reference?: OwnerReference | undefined
  /** The name of the vcluster, for a release on its host. */
  readonly vcluster?: string | undefined
  /** The name of the vcluster's own release, which no other release may use. */
  readonly reservedName?: string | undefined
}

/** The release that objects belong to. */
export interface ReleaseOwner {
  readonly release: { readonly name: string; readonly namespace: string }
  readonly owner: Owner
  readonly target: ReleaseTarget
  /** Labels of the objects of the release, in addition to those of Helm. */
  readonly labels?: Readonly<Record<string, string>>
}

/** An object of a release, as it is applied. */
export interface ReleaseObject {
  readonly resource: Resource
  readonly key: Key
  readonly object: KubeObject
}

const managedBy = 'app.kubernetes.io/managed-by'
const releaseName = 'meta.helm.sh/release-name'
const releaseNamespace = 'meta.helm.sh/release-namespace'
const policy = 'helm.sh/resource-policy'

/** The label selector of the objects of all releases. */
export const ofReleases = `${managedBy}=Helm`

/** Whether an object stays in the cluster when its release no longer has it, by Helm's annotation. */
export const isKept = ({ metadata }: KubeObject) => isKeep(metadata.annotations?.[policy])

/** Whether Helm reads a text as the policy `keep`. */
const isKeep = (text: string | undefined) => text?.trim().toLowerCase() === 'keep'

/** The text of an object's policy if Helm does not know it; the object is deleted as if it had none. */
export function unknownPolicy({ metadata }: KubeObject): string | undefined {
  const text = metadata.annotations?.[policy]
  return isKeep(text) ? undefined : text
}

/** Whether an object belongs to a release, by the label and the annotations of Helm. */
export const belongsTo = (object: KubeObject, release: ReleaseOwner['release']) =>
  isManaged(object) && namesThisRelease(object, release)

/** Whether an object has the label of objects of releases. */
export const isManaged = ({ metadata }: KubeObject) => metadata.labels?.[managedBy] === 'Helm'

/** Whether the annotations of an object name this release. */
export function namesThisRelease(
  { metadata }: KubeObject,
  { name, namespace }: ReleaseOwner['release'],
): boolean {
  const { annotations = {} } = metadata
  return annotations[releaseName] === name && annotations[releaseNamespace] === namespace
}

/** Whether a label or an annotation says which release an object belongs to. */
export const isMark = (name: string) => [managedBy, releaseName, releaseNamespace].includes(name)

/** Whether an object names a release. */
export const namesRelease = ({ metadata }: KubeObject) => metadata.annotations?.[releaseName] !== undefined

/** The release that an object names. */
export function releaseOf({ metadata }: KubeObject): string {
  return `${metadata.annotations?.[releaseNamespace] ?? ''}/${metadata.annotations?.[releaseName] ?? ''}`
}

/**
 * Finds the resources of objects and gives them a namespace. Rejects with {@link OperationError} for a kind that is not
 * served.
 */
export async function placeObjects(
  objects: readonly RenderedObject[],
  kinds: ServedKinds,
  namespace: string,
): Promise<ReleaseObject[]> {
  return Promise.all(objects.map(({ object }) => placeObject(object, kinds, namespace)))
}

/** The error about an object of a kind that the cluster does not serve. */
export const unservedError = ({ apiVersion = '', kind = '', metadata: { name = '' } }: KubeObject) =>
  new OperationError(
    `the cluster does not serve ${kind} of ${apiVersion}, the kind of ${name}; install its definition, or correct the chart`,
    {
      unserved: { apiVersion, kind },
    },
  )

/** Finds the resource of one object, as {@link placeObjects} does. */
export async function placeObject(
  object: KubeObject,
  kinds: ServedKinds,
  namespace: string,
): Promise<ReleaseObject> {
  const { apiVersion = '', kind = '' } = object
  const resource = await kinds.find(apiVersion, kind)
  if (!resource) throw unservedError(object)
  return placeAs(resource, object, namespace)
}

/** An object of a known resource with a namespace. */
export function placeAs(resource: Resource, object: KubeObject, namespace: string): ReleaseObject {
  const { metadata } = object
  const ownNamespace = resource.namespaced ? metadata.namespace || namespace : ''
  const { namespace: _, ...rest } = metadata
  const placedMetadata = { ...rest, ...(ownNamespace && { namespace: ownNamespace }) }
  return {
    resource,
    key: { namespace: ownNamespace, name: metadata.name ?? '' },
    object: { ...object, metadata: placedMetadata },
  }
}

/** An object with Helm's label and annotations, and with an owner reference or the annotations that replace one. */
export function markObject(
  { object, ...rest }: ReleaseObject,
  { release, owner, target, labels }: ReleaseOwner,
): ReleaseObject {
  const { metadata } = object
  const { namespace } = rest.key
  const references = isKept(object) ? [] : referencesTo({ owner, target }, namespace)
  const refersToOwner = references.some(({ uid }) => uid === owner.uid)
  return {
    ...rest,
    object: {
      ...object,
      metadata: {
        ...metadata,
        labels: { ...metadata.labels, ...labels, [managedBy]: 'Helm' },
        annotations: {
          ...metadata.annotations,
          [releaseName]: release.name,
          [releaseNamespace]: release.namespace,
          ...(!refersToOwner && primaryAnnotations(owner, target)),
        },
        ...(references.length > 0 && { ownerReferences: references }),
      },
    },
  }
}

/** The objects of a release as they are applied: placed by {@link placeObjects}, and marked by {@link markObject}. */
export async function markedObjects(
  run: ReleaseOwner & { readonly kinds: ServedKinds },
  objects: readonly RenderedObject[],
): Promise<ReleaseObject[]> {
  const placed = await placeObjects(objects, run.kinds, run.release.namespace)
  return placed.map((object) => markObject(object, run))
}

/**
 * The owner references for an object in a namespace: to the custom resource, or on the host to the vcluster, so that
 * the object is deleted with its owner. With a reference to an object of another cluster, the garbage collector would
 * delete the object.
 */
export function referencesTo(
  { owner, target: { cluster, reference } }: Pick<ReleaseOwner, 'owner' | 'target'>,
  namespace: string,
): OwnerReference[] {
  if (mayRefer(owner, { cluster, namespace }))
    return [{ ...ownerReference(owner), blockOwnerDeletion: false }]
  return reference && namespace !== '' ? [reference] : []
}

/** The UIDs in the owner references of the objects of a release. */
export const ownerUids = ({ owner, target: { reference } }: Pick<ReleaseOwner, 'owner' | 'target'>) =>
  reference ? [owner.uid, reference.uid] : [owner.uid]

/**
 * The annotations that name the custom resource of an object. The first two are as helm-operator-plugins writes them.
 */
export const primaryAnnotations = ({ resource, key, cluster }: Owner, target: ReleaseTarget) => ({
  'operator-sdk/primary-resource': formatKey(key),
  'operator-sdk/primary-resource-type': `${resource.kind}.${resource.group}`,
  ...(target.cluster !== cluster && { 'vcluster-plugin-sdk/primary-cluster': cluster }),
})

/** Whether an object has a reference to the custom resource. */
export const refersTo = (
  { metadata: { ownerReferences = [] } }: KubeObject,
  { owner }: Pick<ReleaseOwner, 'owner'>,
): boolean => ownerReferences.some(({ uid }) => uid === owner.uid)

/** Whether an object has the reference or the annotations by which {@link markObject} names the custom resource. */
export function namesOwner(
  object: KubeObject,
  { owner, target }: Pick<ReleaseOwner, 'owner' | 'target'>,
): boolean {
  const { annotations = {} } = object.metadata
  if (refersTo(object, { owner })) return true
  return Object.entries(primaryAnnotations(owner, target)).every(
    ([name, value]) => annotations[name] === value,
  )
}

/** Identifies an object, whatever its version. */
export const idOf = ({ resource, key }: Pick<ReleaseObject, 'resource' | 'key'>) =>
  `${formatResource(resource)} ${formatKey(key)}`

/** Whether an object defines a kind. */
export const isDefinition = ({ apiVersion = '', kind }: KubeObject): boolean =>
  kind === customResourceDefinitions.kind && apiVersion.startsWith(`${customResourceDefinitions.group}/`)

/** Names an object in a message. */
export const objectName = ({ resource, key }: Pick<ReleaseObject, 'resource' | 'key'>) =>
  `${resource.kind} ${formatKey(key)}`

/** The maximum number of objects that a message names. */
const maxNames = 5

/** Names objects in a message: the first ones, and how many more there are. */
export function listNames(objects: readonly Pick<ReleaseObject, 'resource' | 'key'>[]): string {
  const more = objects.length > maxNames ? ` and ${objects.length - maxNames} more` : ''
  return `${objects.slice(0, maxNames).map(objectName).join(', ')}${more}`
}

/** The message of an error about an object. For a Secret the error is not quoted, because it may contain values. */
export function messageAbout(object: ReleaseObject, error: unknown): string {
  const { message, reason } = error as { message?: string; reason?: string }
  const cause = isSecret(object.resource) ? (reason ?? 'refused') : (message ?? String(error))
  return `${objectName(object)} (${apiVersionOf(object.resource)}): ${cause}`
}
