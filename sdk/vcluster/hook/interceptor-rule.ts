/**
 * Selects the requests that an interceptor gets, with the fields of vcluster (`InterceptorRule` in
 * `pkg/plugin/v2/config.go` @ v0.36.1). A rule names resources by `apiGroups` and `resources`, or paths by
 * `nonResourceURLs`, or both; `*` alone matches everything. A rule does not select namespaces, versions or
 * subresources: a rule for pods also matches `pods/exec`.
 */
export interface InterceptorRule {
  /**
   * The verbs that match: for resources `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`,
   * `deletecollection`; for paths methods in lower case.
   */
  readonly verbs: readonly string[]
  /** API groups, `''` for the core group. Default none. */
  readonly apiGroups?: readonly string[]
  /** Plural names. Default none. */
  readonly resources?: readonly string[]
  /** Names of objects; a request without a name (list, create) then does not match. Default all. */
  readonly resourceNames?: readonly string[]
  /**
   * Paths; a path may end with `*`. Default none. vcluster 0.20 exits because of a rule with paths; they work since
   * 0.21.
   */
  readonly nonResourceURLs?: readonly string[]
}

/** The beginning of vcluster's messages about rules. */
export const messagePrefix = 'error while loading the plugins,'

/**
 * The error that vcluster would report for a single rule, if any (`validateInterceptor` in vcluster). Called when an
 * interceptor is made, and when a `RuleTable` gets its rules.
 */
export function checkRule(rule: InterceptorRule, interceptor: string): string | undefined {
  const { verbs, resources = [], apiGroups = [], nonResourceURLs = [] } = rule
  const wildcardProblem = (fieldName: string, itemName: string) =>
    `${messagePrefix} interceptor for handler ${interceptor} defines both * and other ${fieldName}, or is empty. please either specify * or a list of ${itemName}`
  const isForResources = nonResourceURLs.length === 0
  if (verbs.length === 0) return `verb is empty in interceptor plugin ${interceptor}`
  if (mixesWildcard(resources)) return wildcardProblem('resources', 'resource')
  if (mixesWildcard(apiGroups)) return wildcardProblem('apigroups', 'apigroups')
  if (isForResources && resources.length === 0) return wildcardProblem('resources', 'resource')
  if (isForResources && apiGroups.length === 0) return wildcardProblem('apigroups', 'apigroups')
  if (mixesWildcard(verbs)) return wildcardProblem('verbs', 'verb')
  const path = nonResourceURLs.find((url) => /\*./.test(url))
  return path === undefined
    ? undefined
    : `${messagePrefix} interceptor for non resource url ${path} defines a wildcard not at the end of the url, or is only a wildcard`
}

const mixesWildcard = (texts: readonly string[]) => texts.length > 1 && texts.includes('*')
