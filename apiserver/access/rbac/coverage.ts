import { describeRule, type PolicyRule, urlCovers } from './policy-rule.js'

/**
 * The rights in `desired` that the rules `held` do not cover, as sorted descriptions. Follows `auth/rbac/validation` of
 * k8s.io/component-helpers v0.36.3.
 */
export function missingRights(held: readonly PolicyRule[], desired: readonly PolicyRule[]): string[] {
  const missing = desired.flatMap(singleRules).filter((atom) => !held.some((rule) => covers(rule, atom)))
  return [...new Set(compact(missing).map(describeRule))].sort()
}

/** The rule as rules of one verb, one resource and one name each. */
function singleRules(rule: PolicyRule): PolicyRule[] {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule
  const named = (atom: PolicyRule): PolicyRule[] =>
    resourceNames.length === 0 ? [atom] : resourceNames.map((name) => ({ ...atom, resourceNames: [name] }))
  const atoms = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) => named({ apiGroups: [group], resources: [resource], verbs: [verb] })),
    ),
  )
  const urls = nonResourceURLs.flatMap((url) =>
    verbs.map((verb) => ({ nonResourceURLs: [url], verbs: [verb] })),
  )
  return [...atoms, ...urls]
}

function covers(rule: PolicyRule, atom: PolicyRule): boolean {
  return (
    hasAll(rule.verbs, atom.verbs) &&
    hasAll(rule.apiGroups, atom.apiGroups) &&
    coversResources(rule.resources, atom.resources) &&
    coversNames(rule.resourceNames, atom.resourceNames) &&
    coversUrls(rule.nonResourceURLs, atom.nonResourceURLs)
  )
}

function hasAll(held: readonly string[] = [], desired: readonly string[] = []): boolean {
  return held.includes('*') || desired.every((each) => held.includes(each))
}

function coversResources(held: readonly string[] = [], desired: readonly string[] = []): boolean {
  if (hasAll(held, desired)) return true
  return desired.every((each) => {
    const slash = each.indexOf('/')
    return held.includes(each) || (slash >= 0 && held.includes(`*${each.slice(slash)}`))
  })
}

function coversNames(held: readonly string[] = [], desired: readonly string[] = []): boolean {
  if (held.length === 0) return true
  return desired.length > 0 && desired.every((name) => held.includes(name))
}

function coversUrls(held: readonly string[] = [], desired: readonly string[] = []): boolean {
  return desired.every((path) => held.some((url) => urlCovers(url, path)))
}

/** Joins the verbs of one resource again. */
function compact(atoms: readonly PolicyRule[]): PolicyRule[] {
  const byResource = new Map<string, PolicyRule>()
  for (const atom of atoms) {
    const { verbs = [], ...rest } = atom
    const key = JSON.stringify(atom.nonResourceURLs === undefined ? rest : atom)
    byResource.set(key, { ...rest, verbs: [...(byResource.get(key)?.verbs ?? []), ...verbs] })
  }
  return [...byResource.values()]
}
