import { describeRule, type PolicyRule, urlCovers } from './policy-rule.js'

/**
 * The rights in `desired` that the rules `granted` do not cover, as sorted descriptions. Follows `auth/rbac/validation`
 * of k8s.io/component-helpers v0.36.3.
 */
export function missingRights(granted: readonly PolicyRule[], desired: readonly PolicyRule[]): string[] {
  const missingAtoms = desired
    .flatMap(singleRules)
    .filter((atom) => !granted.some((rule) => covers(rule, atom)))
  return [...new Set(compact(missingAtoms).map(describeRule))].sort()
}

/** The rule as rules of one verb, one resource and one name each. */
function singleRules(rule: PolicyRule): PolicyRule[] {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule
  const perResourceName = (atom: PolicyRule): PolicyRule[] =>
    resourceNames.length === 0 ? [atom] : resourceNames.map((name) => ({ ...atom, resourceNames: [name] }))
  const atoms = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) => perResourceName({ apiGroups: [group], resources: [resource], verbs: [verb] })),
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

function hasAll(granted: readonly string[] = [], desired: readonly string[] = []): boolean {
  return granted.includes('*') || desired.every((each) => granted.includes(each))
}

function coversResources(granted: readonly string[] = [], desired: readonly string[] = []): boolean {
  if (hasAll(granted, desired)) return true
  return desired.every((each) => {
    const slash = each.indexOf('/')
    return granted.includes(each) || (slash >= 0 && granted.includes(`*${each.slice(slash)}`))
  })
}

function coversNames(granted: readonly string[] = [], desired: readonly string[] = []): boolean {
  if (granted.length === 0) return true
  return desired.length > 0 && desired.every((name) => granted.includes(name))
}

function coversUrls(granted: readonly string[] = [], desired: readonly string[] = []): boolean {
  return desired.every((path) => granted.some((url) => urlCovers(url, path)))
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
