import { formatResource } from '../../sdk/engine/kube/resource.js'
import { compareVersions } from '../custom/version-order.js'
import { conversions } from '../kinds/conversions.js'
import { rulesByResource } from '../kinds/index.js'
import { type ApiGroup, allVerbs, type BuiltInResource } from '../resources/built-in.js'
import { builtInGroups } from '../resources/index.js'
import type { ServedResource } from '../resources/served-resource.js'

/** A group version and its resources. */
export interface GroupVersion {
  readonly group: string
  readonly version: string
  readonly resources: readonly ServedResource[]
}

function serve({ group, version }: ApiGroup, built: BuiltInResource): ServedResource {
  const name = formatResource({ group, plural: built.plural })
  const conversion = conversions[`${group}/${version}/${built.plural}`]
  return {
    group,
    version,
    kind: built.kind,
    plural: built.plural,
    namespaced: built.namespaced,
    singular: built.singular ?? built.kind.toLowerCase(),
    listKind: `${built.kind}List`,
    shortNames: built.shortNames ?? [],
    categories: built.categories ?? [],
    verbs: built.verbs ?? allVerbs,
    subresources: built.subresources ?? [],
    storage: built.storage ?? name,
    rules: rulesByResource[name] ?? {},
    ...(conversion === undefined ? {} : { conversion }),
  }
}

function serveGroup(group: ApiGroup): GroupVersion {
  return {
    group: group.group,
    version: group.version,
    resources: group.resources.map((resource) => serve(group, resource)),
  }
}

/**
 * The resources that are served: the built-in ones, and those that CustomResourceDefinitions add and remove while
 * the server runs.
 */
export class Registry {
  readonly #builtIn: readonly GroupVersion[] = builtInGroups.map(serveGroup)
  readonly #custom = new Map<string, readonly ServedResource[]>()
  #groupVersions: readonly GroupVersion[] = this.#builtIn
  #byPath = new Map<string, ServedResource>()

  constructor() {
    this.#rebuild()
  }

  /** Every group version, for discovery: built-in ones first, each group's preferred version first. */
  get groupVersions(): readonly GroupVersion[] {
    return this.#groupVersions
  }

  find(group: string, version: string, plural: string): ServedResource | undefined {
    return this.#byPath.get(`${group}/${version}/${plural}`)
  }

  /** The resource of a kind, for owner references and scale targets. */
  findKind(group: string, version: string, kind: string): ServedResource | undefined {
    const groupVersion = this.#groupVersions.find((each) => each.group === group && each.version === version)
    return groupVersion?.resources.find((resource) => resource.kind === kind)
  }

  /** Whether a group is built in. */
  isBuiltIn(group: string): boolean {
    return this.#builtIn.some((each) => each.group === group)
  }

  /** Whether any resource of a group version is served. */
  serves(group: string, version: string): boolean {
    return this.#groupVersions.some((each) => each.group === group && each.version === version)
  }

  /** All stored resources, without duplicates; custom ones in the version in which objects are written. */
  stored(): ServedResource[] {
    const byStorage = new Map<string, ServedResource>()
    for (const resource of this.#byPath.values()) {
      const isFirst = !byStorage.has(resource.storage) || resource.custom?.isStorage === true
      if (resource.verbs.includes('list') && isFirst) {
        byStorage.set(resource.storage, resource)
      }
    }
    return [...byStorage.values()]
  }

  /** Replaces the served versions of a CustomResourceDefinition; an empty list removes them. */
  setCustom(definition: string, resources: readonly ServedResource[]): void {
    if (resources.length === 0) this.#custom.delete(definition)
    else this.#custom.set(definition, resources)
    this.#rebuild()
  }

  /** Removes all custom resources. */
  clearCustom(): void {
    this.#custom.clear()
    this.#rebuild()
  }

  #rebuild(): void {
    const custom = new Map<string, ServedResource[]>()
    for (const resource of [...this.#custom.values()].flat()) {
      const key = `${resource.group}/${resource.version}`
      custom.set(key, [...(custom.get(key) ?? []), resource])
    }
    const added = [...custom.values()].map(groupVersionOf).sort(byPreference)
    this.#groupVersions = [...this.#builtIn, ...added]
    this.#byPath = new Map()
    for (const { resources } of this.#groupVersions) {
      for (const resource of resources) {
        this.#byPath.set(`${resource.group}/${resource.version}/${resource.plural}`, resource)
      }
    }
  }
}

/** Orders groups by name and their versions by preference. */
function byPreference(a: GroupVersion, b: GroupVersion): number {
  if (a.group !== b.group) return a.group < b.group ? -1 : 1
  return compareVersions(a.version, b.version)
}

function groupVersionOf(resources: readonly ServedResource[]): GroupVersion {
  const { group = '', version = '' } = resources[0] ?? {}
  return { group, version, resources }
}
