import type { ServedResource } from '../../resources/served-resource.js'
import type { Admission } from '../admission.js'
import { isSelected, ruleMatches } from '../matching.js'
import type { MatchResources, NamedRule } from './policy.js'

/**
 * The resource whose version a policy gets, or undefined if it is not about the request; `matching.go` of the admission
 * policies of k8s.io/apiserver v0.36.3.
 */
export function matchedByPolicy(match: MatchResources, asked: Admission): ServedResource | undefined {
  const { resource } = asked.request
  if (!isSelected(match, asked)) return undefined
  const { resourceRules = [], excludeResourceRules = [] } = match
  if (matchedByRules(excludeResourceRules, match, asked) !== undefined) return undefined
  return resourceRules.length === 0 ? resource : matchedByRules(resourceRules, match, asked)
}

function matchedByRules(
  rules: readonly NamedRule[],
  { matchPolicy }: MatchResources,
  asked: Admission,
): ServedResource | undefined {
  const { resource, server } = asked.request
  const fits = (candidate: ServedResource) =>
    rules.some((rule) => ruleMatches(rule, asked, candidate) && hasName(rule, asked))
  if (fits(resource)) return resource
  if (matchPolicy !== 'Equivalent') return undefined
  const equivalents = server.registry.groupVersions.flatMap(({ resources }) =>
    resources.filter((other) => other.storage === resource.storage && other !== resource),
  )
  return equivalents.find(fits)
}

const hasName = ({ resourceNames = [] }: NamedRule, { name }: Admission) =>
  resourceNames.length === 0 || resourceNames.includes(name)
