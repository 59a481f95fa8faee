import { createHash } from 'node:crypto'
import type { Subresource } from '../resources/built-in.js'
import { discoveryVerbs, type ServedResource } from '../resources/served-resource.js'
import type { GroupVersion, Registry } from '../server/registry.js'

/** `GET /api`. */
export function coreVersions(): object {
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] }
}

/** `GET /apis`. */
export function groupList(registry: Registry): object {
  const names = new Set(registry.groupVersions.map(({ group }) => group).filter((group) => group !== ''))
  const groups = [...names].map((name) => groupOf(registry, name))
  return { kind: 'APIGroupList', apiVersion: 'v1', groups }
}

/** `GET /apis/<group>`; undefined if the group is not served. */
export function group(registry: Registry, name: string): object | undefined {
  const served = name !== '' && registry.groupVersions.some((each) => each.group === name)
  return served ? { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(registry, name) } : undefined
}

function groupOf(registry: Registry, name: string): object {
  const versions = registry.groupVersions
    .filter((each) => each.group === name)
    .map(({ version }) => ({ groupVersion: `${name}/${version}`, version }))
  return { name, versions, preferredVersion: versions[0] }
}

/** `GET /api/v1` and `GET /apis/<group>/<version>`; undefined if they are not served. */
export function resourceList(registry: Registry, name: string, version: string): object | undefined {
  const served = registry.groupVersions.find((each) => each.group === name && each.version === version)
  if (served === undefined) return undefined
  const groupVersion = name === '' ? version : `${name}/${version}`
  const resources = served.resources.flatMap(describe)
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources }
}

function describe(resource: ServedResource): object[] {
  const { plural, singular, namespaced, kind, shortNames, categories, subresources } = resource
  const verbs = discoveryVerbs(resource)
  const names = shortNames.length > 0 ? { shortNames } : {}
  const grouped = categories.length > 0 ? { categories } : {}
  const subresourceEntries = subresources.map((subresource) => ({
    name: `${plural}/${subresource.name}`,
    singularName: '',
    namespaced,
    ...(subresource.group === undefined ? {} : { group: subresource.group, version: subresource.version }),
    kind: subresource.kind ?? kind,
    verbs: subresource.verbs,
  }))
  const stored = verbs.includes('watch') ? { storageVersionHash: storageVersionHash(resource) } : {}
  const resourceEntry = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs,
    ...names,
    ...grouped,
    ...stored,
  }
  return [resourceEntry, ...subresourceEntries]
}

/** The hash of the version in which objects are stored, like `StorageVersionHash` of k8s.io/apiserver. */
function storageVersionHash({ group, version, kind }: ServedResource): string {
  const digest = createHash('sha256').update(`${group}/${version}/${kind}`).digest()
  return digest.subarray(0, 8).toString('base64')
}

/** The media type of aggregated discovery: https://kep.k8s.io/3352 */
export const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** Whether a caller prefers aggregated discovery to the other forms that this server has. */
export function wantsAggregated(accept: string | undefined): boolean {
  for (const choice of (accept ?? '').split(',')) {
    const mediaTypeParts = choice.split(';').map((text) => text.trim())
    if (mediaTypeParts[0] !== 'application/json') continue
    if (!mediaTypeParts.includes('as=APIGroupDiscoveryList')) return false
    if (mediaTypeParts.includes('v=v2')) return true
  }
  return false
}

/** The aggregated discovery document of `/api` or of `/apis`: all its groups, versions and resources. */
export function aggregatedDiscovery(registry: Registry, root: 'api' | 'apis'): object {
  const desired = registry.groupVersions.filter((each) => (each.group === '') === (root === 'api'))
  const groups = new Map<string, GroupVersion[]>()
  for (const each of desired) groups.set(each.group, [...(groups.get(each.group) ?? []), each])
  const items = [...groups].map(([name, versions]) => ({
    metadata: name === '' ? {} : { name },
    versions: versions.map(describeVersion),
  }))
  return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items }
}

function describeVersion({ version, resources }: GroupVersion): object {
  return { version, resources: resources.map(describeAggregated), freshness: 'Current' }
}

function describeAggregated(resource: ServedResource): object {
  const { plural, singular, namespaced, shortNames, categories, subresources } = resource
  return {
    resource: plural,
    // Empty if they are those of the group version itself.
    responseKind: { group: '', version: '', kind: resource.kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: discoveryVerbs(resource),
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    ...(subresources.length > 0
      ? { subresources: subresources.map((subresource) => describeSubresource(subresource, resource)) }
      : {}),
  }
}

function describeSubresource(subresource: Subresource, { kind }: ServedResource): object {
  const responseKind = {
    group: subresource.group ?? '',
    version: subresource.version ?? '',
    kind: subresource.kind ?? kind,
  }
  return { subresource: subresource.name, responseKind, verbs: subresource.verbs }
}
