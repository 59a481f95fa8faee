import type { ServedResource } from '../../resources/served-resource.js'
import type { AdmissionAttributes } from '../admission-attributes.js'
import { isSelected, ruleMatches } from '../matching/matched-resource.js'
import type { MatchResources, NamedRule } from './policy.js'

/**
 * The resource whose version a policy gets, or undefined if it does not match the request; `matching.go` of the
 * admission policies of k8s.io/apiserver v0.36.3.
 */
export function matchedByPolicy(
  match: MatchResources,
  attributes: AdmissionAttributes,
): ServedResource | undefined {
  const { resource } = attributes.request
  if (!isSelected(match, attributes)) return undefined
  const { resourceRules = [], excludeResourceRules = [] } = match
  if (matchedByRules(excludeResourceRules, match, attributes) !== undefined) return undefined
  return resourceRules.length === 0 ? resource : matchedByRules(resourceRules, match, attributes)
}

function matchedByRules(
  rules: readonly NamedRule[],
  { matchPolicy }: MatchResources,
  attributes: AdmissionAttributes,
): ServedResource | undefined {
  const { resource, server } = attributes.request
  const fits = (candidate: ServedResource) =>
    rules.some((rule) => ruleMatches(rule, attributes, candidate) && hasName(rule, attributes))
  if (fits(resource)) return resource
  if (matchPolicy !== 'Equivalent') return undefined
  const equivalents = server.registry.groupVersions.flatMap(({ resources }) =>
    resources.filter((other) => other.storage === resource.storage && other !== resource),
  )
  return equivalents.find(fits)
}

const hasName = ({ resourceNames = [] }: NamedRule, { name }: AdmissionAttributes) =>
  resourceNames.length === 0 || resourceNames.includes(name)
