import {
  type LabelSelector,
  labelSelectorRequirements,
  matchesLabels,
} from '../../sdk/engine/kube/label-selector.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { ServedResource } from '../resources/served-resource.js'
import type { Admission } from './admission.js'
import type { Webhook, WebhookRule } from './webhook.js'

/**
 * The resource whose version a webhook gets, or undefined if its rules or selectors do not match. With `Equivalent`, it
 * may be another version of the requested resource. `rules.go` and `predicates/` of k8s.io/apiserver v0.36.3.
 */
export function matchedResource(webhook: Webhook, asked: Admission): ServedResource | undefined {
  if (!isSelected(webhook, asked)) return undefined
  const { resource, server } = asked.request
  const { rules = [] } = webhook
  if (rules.some((rule) => ruleMatches(rule, asked, resource))) return resource
  if (webhook.matchPolicy !== 'Equivalent') return undefined
  const equivalents = server.registry.groupVersions.flatMap(({ resources }) =>
    resources.filter((other) => other.storage === resource.storage && other !== resource),
  )
  return equivalents.find((other) => rules.some((rule) => ruleMatches(rule, asked, other)))
}

/** Whether a rule is about a request for a resource, or for another version of it. */
export function ruleMatches(rule: WebhookRule, asked: Admission, resource: ServedResource): boolean {
  const { group, version } = resource
  return (
    includes(rule.operations, asked.operation) &&
    includes(rule.apiGroups, group) &&
    includes(rule.apiVersions, version) &&
    isInScope(rule, asked) &&
    (rule.resources ?? []).some((pattern) => resourceMatches(pattern, asked, resource))
  )
}

const includes = (list: readonly string[] = [], value: string) => list.includes('*') || list.includes(value)

function resourceMatches(pattern: string, { request }: Admission, { plural }: ServedResource): boolean {
  const [resource, subresource = ''] = pattern.split('/')
  if (resource !== '*' && resource !== plural) return false
  return subresource === '*' || subresource === request.target.subresource
}

function isInScope({ scope = '*' }: WebhookRule, { request }: Admission): boolean {
  if (scope === '*') return true
  return scope === 'Namespaced' ? request.resource.namespaced : !request.resource.namespaced
}

/** Whether the selectors match the namespace and the object of a request. */
export function isSelected(
  {
    namespaceSelector = {},
    objectSelector = {},
  }: Partial<Pick<Webhook, 'namespaceSelector' | 'objectSelector'>>,
  asked: Admission,
): boolean {
  return namespaceMatches(namespaceSelector, asked) && objectMatches(objectSelector, asked)
}

const isEmpty = ({ matchLabels = {}, matchExpressions = [] }: LabelSelector) =>
  Object.keys(matchLabels).length === 0 && matchExpressions.length === 0

const matches = (selector: LabelSelector, object: KubeObject | undefined) =>
  matchesLabels(labelSelectorRequirements(selector), object?.metadata.labels)

/** Objects outside of namespaces always match; a Namespace is selected by its own labels. */
function namespaceMatches(selector: LabelSelector, asked: Admission): boolean {
  const { resource, server, target } = asked.request
  if (isEmpty(selector)) return true
  if (resource.storage === 'namespaces') {
    const isWritten = target.subresource === '' && asked.object !== undefined
    return matches(selector, isWritten ? asked.object?.() : server.find('namespaces', '', target.name))
  }
  return !resource.namespaced || matches(selector, server.find('namespaces', '', target.namespace))
}

/** An object is selected by its labels before or after the write. */
function objectMatches(selector: LabelSelector, asked: Admission): boolean {
  if (isEmpty(selector)) return true
  const states = [asked.object?.(), asked.oldObject?.()]
  return states.some((state) => state !== undefined && matches(selector, state))
}
