import type { CustomResourceDefinition, DefinedVersion } from '../kube/builtin.js'
import { PluginError } from '../kube/error.js'
import type { ObjectMeta } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'

/** The annotation that `kubectl apply` compares with. It is not copied to another cluster. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/** The name of the definition that serves a resource. */
export function definitionName({ plural, group }: Pick<Resource, 'plural' | 'group'>): string {
  return `${plural}.${group}`
}

/**
 * The groups with a dot that API servers serve without a definition. Other groups that end with `.k8s.io` are custom
 * groups, such as those of the Gateway API and of volume snapshots.
 */
const servedGroups: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'custom.metrics.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'external.metrics.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'internal.apiserver.k8s.io',
  'metrics.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
  'storagemigration.k8s.io',
])

/** Whether a kind may be custom. Groups of built-in kinds have no dot, or belong to Kubernetes itself. */
export function isCustom({ group }: Pick<Resource, 'group'>): boolean {
  return group.includes('.') && !servedGroups.has(group)
}

/** Whether the API server has begun to serve the kind of a definition. */
export function isEstablished({ status }: CustomResourceDefinition): boolean {
  return status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') ?? false
}

/** The resource of one version of a definition; default the stored version. */
export function resourceOf({ spec }: CustomResourceDefinition, version = storedVersion(spec)): Resource {
  const { group, names, scope } = spec
  return { group, version, kind: names.kind, plural: names.plural, namespaced: scope === 'Namespaced' }
}

/** Whether a definition has a version, and serves it. */
export function servesVersion({ spec }: CustomResourceDefinition, version: string): boolean {
  return spec.versions.some(({ name, served }) => name === version && served)
}

/**
 * A definition for another cluster: without the metadata and status of the first cluster, and with one version only,
 * because the conversion webhook runs in the first cluster.
 */
export function definitionOfVersion(
  definition: CustomResourceDefinition,
  version: string,
): CustomResourceDefinition {
  const { conversion: _, versions, ...spec } = definition.spec
  return {
    metadata: ownMetadata(definition.metadata),
    spec: { ...spec, versions: [{ ...versionNamed(definition, version), served: true, storage: true }] },
  }
}

/** A definition with one more version, which is served and not stored. */
export function withVersion(
  definition: CustomResourceDefinition,
  version: DefinedVersion,
): CustomResourceDefinition {
  const others = definition.spec.versions.filter(({ name }) => name !== version.name)
  const storage = definition.spec.versions.some((one) => one.storage && one.name === version.name)
  const versions = [...others, { ...version, served: true, storage }]
  return { ...definition, spec: { ...definition.spec, versions } }
}

/** Finds the version with a name. Throws `PluginError` `UNKNOWN_KIND` if the definition does not have it. */
export function versionNamed({ metadata, spec }: CustomResourceDefinition, version: string): DefinedVersion {
  const requestedVersion = spec.versions.find(({ name }) => name === version)
  if (requestedVersion) return requestedVersion
  const versionNames = spec.versions.map(({ name }) => name).join(', ')
  throw new PluginError(
    'UNKNOWN_KIND',
    `CustomResourceDefinition ${metadata.name} has no version ${version}: use one of ${versionNames}`,
  )
}

function storedVersion({ versions }: CustomResourceDefinition['spec']): string {
  return (versions.find(({ storage }) => storage) ?? versions[0])?.name ?? ''
}

function ownMetadata({ name, labels, annotations = {} }: ObjectMeta): ObjectMeta {
  const { [lastApplied]: _, ...kept } = annotations
  return { ...(name && { name }), ...(labels && { labels }), annotations: kept }
}
