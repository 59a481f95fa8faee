import { checkRule, type InterceptorRule, messagePrefix } from './interceptor-rule.js'

/** Interceptors by the names of objects. */
export type NameTable<T> = Map<string, T>
/** Interceptors by verbs, then names. */
export type VerbTable<T> = Map<string, NameTable<T>>
/** Interceptors by plural names of resources, then verbs and names. */
export type ResourceTable<T> = Map<string, VerbTable<T>>

/**
 * The rules of interceptors as vcluster stores them: by groups, resources, verbs and names. A rule that
 * vcluster would reject is refused with vcluster's message, which vcluster itself prints only right before it
 * exits. See `registerInterceptors` in `pkg/plugin/v2/plugin.go` @ v0.36.1 of vcluster.
 */
export class RuleTable<T extends { name: string }> {
  /** Interceptors by API groups, then resources, verbs and names. */
  readonly groups = new Map<string, ResourceTable<T>>()
  /** Interceptors by paths, then methods in lower case. */
  readonly paths: VerbTable<T> = new Map()

  /** Adds a rule. Returns the message of vcluster if vcluster would reject it. */
  add(rule: InterceptorRule, interceptor: T): string | undefined {
    return (
      checkRule(rule, interceptor.name) ??
      this.#addResources(rule, interceptor) ??
      this.#addPaths(rule, interceptor)
    )
  }

  #addResources(rule: InterceptorRule, interceptor: T): string | undefined {
    const names = rule.resourceNames?.length ? rule.resourceNames : ['*']
    const targets = targetsOf(rule)
    for (const target of targets)
      for (const name of names)
        if (this.#hidesBehindWildcard(target, name) || this.#overlaps(target, name))
          return `${messagePrefix} there are conflicts with the wildcards`
    for (const target of targets) {
      const problem = this.#addNames(target, rule, interceptor)
      if (problem !== undefined) return problem
    }
    return undefined
  }

  /**
   * Whether an earlier rule has the name at the place where vcluster looks up this target: at the wildcards if there
   * are any, else at the exact values.
   */
  #hidesBehindWildcard({ group, resource, verb }: RuleTarget, name: string): boolean {
    const resources = this.groups.get('*') ?? this.groups.get(group)
    const verbs = resources?.get('*') ?? resources?.get(resource)
    const names = verbs?.get('*') ?? verbs?.get(verb)
    return names !== undefined && (names.has(name) || name === '*')
  }

  /** Whether an earlier rule has the name under a target that the wildcards of this rule cover. */
  #overlaps({ group, resource, verb }: RuleTarget, name: string): boolean {
    return coveredEntries(this.groups, group)
      .flatMap((resources) => coveredEntries(resources, resource))
      .flatMap((verbs) => coveredEntries(verbs, verb))
      .some((names) => name === '*' || names.has(name))
  }

  #addNames(
    { group, resource, verb }: RuleTarget,
    rule: InterceptorRule,
    interceptor: T,
  ): string | undefined {
    const { resourceNames = [] } = rule
    const verbs = getOrCreate(getOrCreate(this.groups, group), resource)
    const knownNames = verbs.get(verb)
    const duplicateMessage = `${messagePrefix} multiple interceptor plugins are registered for the same resource ${group}/${resource}`
    if (knownNames && resourceNames.length === 0) return `${duplicateMessage} verb ${verb} and resource name`
    const name = knownNames && resourceNames.find((ruleName) => knownNames.has(ruleName))
    if (name !== undefined) return `${duplicateMessage} , verb ${verb} and resource name ${name}`
    const names = knownNames ?? getOrCreate(verbs, verb)
    for (const ruleName of resourceNames.length > 0 ? resourceNames : ['*']) names.set(ruleName, interceptor)
    return undefined
  }

  #addPaths({ nonResourceURLs = [], verbs }: InterceptorRule, interceptor: T): string | undefined {
    for (const path of nonResourceURLs.filter(Boolean)) {
      const methods = getOrCreate(this.paths, path)
      for (const verb of verbs) {
        if (methods.has(verb))
          return `${messagePrefix} multiple interceptor plugins are registered for the same non resource url ${path} and verb ${verb}`
        methods.set(verb, interceptor)
      }
    }
    return undefined
  }
}

/** One combination of the values of a rule. */
interface RuleTarget {
  group: string
  resource: string
  verb: string
}

/** All combinations of the groups, resources and verbs of a rule. */
function targetsOf({ apiGroups = [], resources = [], verbs }: InterceptorRule): RuleTarget[] {
  return apiGroups.flatMap((group) =>
    resources.flatMap((resource) => verbs.map((verb) => ({ group, resource, verb }))),
  )
}

/** The entries that a key of a rule covers: all for `*`, else the one with this key. */
function coveredEntries<T>(table: ReadonlyMap<string, T>, key: string): T[] {
  if (key === '*') return [...table.values()]
  const entry = table.get(key)
  return entry === undefined ? [] : [entry]
}

function getOrCreate<T extends Map<string, unknown>>(table: Map<string, T>, key: string): T {
  const existing = table.get(key)
  if (existing) return existing
  const created = new Map() as T
  table.set(key, created)
  return created
}
