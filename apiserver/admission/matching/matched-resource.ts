import {
  type LabelSelector,
  labelSelectorRequirements,
  matchesLabels,
} from '../../../sdk/engine/kube/label-selector.js'
import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import type { ServedResource } from '../../resources/served-resource.js'
import type { AdmissionAttributes } from '../admission-attributes.js'
import type { Webhook, WebhookRule } from './webhook.js'

/**
 * The resource whose version a webhook gets, or undefined if its rules or selectors do not match. With `Equivalent`, it
 * may be another version of the requested resource. `rules.go` and `predicates/` of k8s.io/apiserver v0.36.3.
 */
export function matchedResource(
  webhook: Webhook,
  attributes: AdmissionAttributes,
): ServedResource | undefined {
  if (!isSelected(webhook, attributes)) return undefined
  const { resource, server } = attributes.request
  const { rules = [] } = webhook
  if (rules.some((rule) => ruleMatches(rule, attributes, resource))) return resource
  if (webhook.matchPolicy !== 'Equivalent') return undefined
  const equivalents = server.registry.groupVersions.flatMap(({ resources }) =>
    resources.filter((other) => other.storage === resource.storage && other !== resource),
  )
  return equivalents.find((other) => rules.some((rule) => ruleMatches(rule, attributes, other)))
}

/** Whether a rule matches a request, if `resource` is the resource or another version of it. */
export function ruleMatches(
  rule: WebhookRule,
  attributes: AdmissionAttributes,
  resource: ServedResource,
): boolean {
  const { group, version } = resource
  return (
    includes(rule.operations, attributes.operation) &&
    includes(rule.apiGroups, group) &&
    includes(rule.apiVersions, version) &&
    isInScope(rule, attributes) &&
    (rule.resources ?? []).some((pattern) => resourceMatches(pattern, attributes, resource))
  )
}

const includes = (list: readonly string[] = [], value: string) => list.includes('*') || list.includes(value)

function resourceMatches(
  pattern: string,
  { request }: AdmissionAttributes,
  { plural }: ServedResource,
): boolean {
  const [resource, subresource = ''] = pattern.split('/')
  if (resource !== '*' && resource !== plural) return false
  return subresource === '*' || subresource === request.target.subresource
}

function isInScope({ scope = '*' }: WebhookRule, { request }: AdmissionAttributes): boolean {
  if (scope === '*') return true
  return scope === 'Namespaced' ? request.resource.namespaced : !request.resource.namespaced
}

/** Whether the selectors match the namespace and the object of a request; an empty one matches all. */
export function isSelected(
  {
    namespaceSelector = {},
    objectSelector = {},
  }: Partial<Pick<Webhook, 'namespaceSelector' | 'objectSelector'>>,
  attributes: AdmissionAttributes,
): boolean {
  return namespaceMatches(namespaceSelector, attributes) && objectMatches(objectSelector, attributes)
}

const isEmpty = ({ matchLabels = {}, matchExpressions = [] }: LabelSelector) =>
  Object.keys(matchLabels).length === 0 && matchExpressions.length === 0

// The body of a subresource such as an eviction may have no metadata.
const matches = (selector: LabelSelector, object: KubeObject | undefined) =>
  matchesLabels(labelSelectorRequirements(selector), object?.metadata?.labels)

/** Objects outside of namespaces always match; a Namespace is selected by its own labels. */
function namespaceMatches(selector: LabelSelector, attributes: AdmissionAttributes): boolean {
  const { resource, server, target } = attributes.request
  if (isEmpty(selector)) return true
  if (resource.storage === 'namespaces') {
    const isWritten = target.subresource === '' && attributes.object !== undefined
    return matches(selector, isWritten ? attributes.object?.() : server.find('namespaces', '', target.name))
  }
  return !resource.namespaced || matches(selector, server.find('namespaces', '', target.namespace))
}

/** An object is selected by its labels before or after the write. The options of a connection have no labels. */
function objectMatches(selector: LabelSelector, attributes: AdmissionAttributes): boolean {
  if (isEmpty(selector)) return true
  if (attributes.operation === 'CONNECT') return false
  const states = [attributes.object?.(), attributes.oldObject?.()]
  return states.some((state) => state !== undefined && matches(selector, state))
}
