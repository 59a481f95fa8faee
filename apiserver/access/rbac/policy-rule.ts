import { type Attributes, isPath } from '../attributes.js'

/** A `rbac.authorization.k8s.io/v1 PolicyRule`. */
export interface PolicyRule {
  readonly verbs?: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
}

/**
 * Whether a rule allows a request; see
 * https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-resources
 */
export function ruleAllows(rule: PolicyRule, attributes: Attributes): boolean {
  if (!includes(rule.verbs, attributes.verb)) return false
  if (isPath(attributes)) return (rule.nonResourceURLs ?? []).some((url) => urlCovers(url, attributes.path))
  const { group, resource, subresource, name } = attributes
  return (
    includes(rule.apiGroups, group) &&
    resourceMatches(rule.resources ?? [], resource, subresource) &&
    nameMatches(rule.resourceNames ?? [], name)
  )
}

function includes(values: readonly string[] = [], desired: string): boolean {
  return values.includes('*') || values.includes(desired)
}

function resourceMatches(resources: readonly string[], resource: string, subresource: string): boolean {
  if (subresource === '') return includes(resources, resource)
  return includes(resources, `${resource}/${subresource}`) || resources.includes(`*/${subresource}`)
}

function nameMatches(names: readonly string[], name: string): boolean {
  return names.length === 0 || names.includes(name)
}

/** Whether a pattern covers a path: both are equal, or the pattern ends in `*` and the path has the same beginning. */
export function urlCovers(url: string, path: string): boolean {
  if (url === '*' || url === path) return true
  return url.endsWith('*') && path.startsWith(url.replace(/\*+$/, ''))
}

/** The rule as error messages write it. */
export function describeRule(rule: PolicyRule): string {
  const titledValues = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ] as const
  const nonEmpty = titledValues.filter(([, values]) => values !== undefined && values.length > 0)
  return `{${nonEmpty.map(([title, values]) => `${title}:${printQuotedSlice(values)}`).join(', ')}}`
}

/** Prints texts as Go prints a slice of strings with `%q`. */
export function printQuotedSlice(texts: readonly string[] = []): string {
  return `[${texts.map((text) => JSON.stringify(text)).join(' ')}]`
}
