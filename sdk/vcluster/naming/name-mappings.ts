import { PluginError } from '../../engine/kube/error.js'
import type { Key } from '../../engine/kube/key.js'

/**
 * The host objects that have copies in the virtual cluster, and the places of these, in the format of vcluster's
 * `sync.fromHost.*.mappings.byName` (https://www.vcluster.com/docs/vcluster/configure/vcluster-yaml/sync/from-host/).
 * The keys are host objects, the values are the places of their copies:
 *
 * - `'ns/name': 'team/other'` is one object;
 * - `'ns/*': 'team/*'` maps all objects of a namespace, under their own names;
 * - `'/name': 'team/other'` maps one object of the vcluster's own namespace;
 * - `'': 'team'` (or `'team/*'`) maps all objects of the vcluster's own namespace.
 *
 * If several fit, the first form in this list applies.
 */
export type NameMappings = Readonly<Record<string, string>>

interface Mapping {
  /** The name `*` matches any name. */
  host: Key
  virtual: Key
  rank: number
}

/** Parsed name mappings, for lookups in both directions. */
export class MappedNames {
  readonly #mappings: readonly Mapping[]

  /** Throws `PluginError` `INVALID_MAPPING` for an invalid mapping. */
  constructor(mappings: NameMappings, ownNamespace: string) {
    const all = Object.entries(mappings).map(([host, virtual]) => readMapping(host, virtual, ownNamespace))
    this.#mappings = all.sort((a, b) => a.rank - b.rank)
  }

  /** The host namespaces in the mappings. */
  get hostNamespaces(): readonly string[] {
    return [...new Set(this.#mappings.map(({ host }) => host.namespace))]
  }

  /** The key of the copy of a host object. */
  toVirtual(host: Key): Key | undefined {
    const mapping = this.#mappingOf(host)
    return mapping && applyPattern(mapping.virtual, host.name)
  }

  /** Whether a mapping names this object, and not only its whole namespace. */
  isNamed(host: Key): boolean {
    return this.#mappingOf(host)?.host.name === host.name
  }

  /** The host objects whose copy a virtual object may be, the likeliest first. */
  toHost(virtual: Key): Key[] {
    return this.#mappings
      .filter((one) => matchesPattern(one.virtual, virtual))
      .map(({ host }) => applyPattern(host, virtual.name))
      .filter((host) => isSame(this.toVirtual(host), virtual))
  }

  #mappingOf(host: Key): Mapping | undefined {
    return this.#mappings.find((one) => matchesPattern(one.host, host))
  }
}

function readMapping(from: string, to: string, ownNamespace: string): Mapping {
  const [namespace = '', name = '*', ...fromRest] = from === '' ? [''] : from.split('/')
  const [virtualNamespace = '', virtualName = name, ...toRest] = to.split('/')
  const isBare = from !== '' && !from.includes('/')
  const isUneven = (name === '*') !== (virtualName === '*')
  const isEmpty = name === '' || virtualNamespace === '' || virtualName === ''
  if (isBare || isUneven || isEmpty || fromRest.length > 0 || toRest.length > 0) throw invalidError(from, to)
  const rank = (namespace === '' ? 2 : 0) + (name === '*' ? 1 : 0)
  return {
    host: { namespace: namespace || ownNamespace, name },
    virtual: { namespace: virtualNamespace, name: virtualName },
    rank,
  }
}

const matchesPattern = (pattern: Key, key: Key) =>
  pattern.namespace === key.namespace && (pattern.name === '*' || pattern.name === key.name)
const applyPattern = (pattern: Key, name: string): Key =>
  pattern.name === '*' ? { ...pattern, name } : pattern
const isSame = (a: Key | undefined, b: Key) => a?.namespace === b.namespace && a.name === b.name

function invalidError(from: string, to: string): PluginError {
  const message =
    `the mapping '${from}': '${to}' is not valid. Write 'ns/name': 'ns/name', 'ns/*': 'ns/*', '/name': 'ns/name' ` +
    "for the vcluster's own namespace, or '': 'ns' for all of it."
  return new PluginError('INVALID_MAPPING', message)
}
