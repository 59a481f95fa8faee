import { recordOf } from '../base/object.js'
import { duplicate, type FieldError, required, unsupported } from '../validation/field-error.js'
import { repeatedIndexes } from '../validation/repeated.js'
import { type LabelSelector, selectorErrors } from './selector-errors.js'
import { webhookRuleErrors } from './webhook-rules.js'

type Members = Readonly<Record<string, unknown>>

const matchPolicies = ['Equivalent', 'Exact']

/** The errors of the requests that a policy or a binding is about; `validateMatchResources` of Kubernetes v1.36.3. */
export function matchResourcesErrors(path: string, match: Members): FieldError[] {
  const { matchPolicy, namespaceSelector, objectSelector } = match
  const choice = `${path}.matchPolicy`
  const isKnown = matchPolicies.includes(String(matchPolicy))
  return [
    ...(matchPolicy === undefined ? [required(choice, '')] : []),
    ...(matchPolicy === undefined || isKnown
      ? []
      : [unsupported(choice, JSON.stringify(matchPolicy), matchPolicies)]),
    ...selectorErrors(namespaceSelector as LabelSelector | undefined, `${path}.namespaceSelector`),
    ...selectorErrors(objectSelector as LabelSelector | undefined, `${path}.objectSelector`),
    ...(['resourceRules', 'excludeResourceRules'] as const).flatMap((name) => {
      const rules = match[name]
      if (!Array.isArray(rules)) return []
      return rules.flatMap((rule, index) => namedRuleErrors(`${path}.${name}[${index}]`, recordOf(rule)))
    }),
  ]
}

function namedRuleErrors(path: string, rule: Members): FieldError[] {
  const names = Array.isArray(rule.resourceNames) ? rule.resourceNames.map(String) : []
  const repeated = repeatedIndexes(names)
  const twins = names.flatMap((name, index) =>
    repeated.has(index) ? [duplicate(`${path}.resourceNames[${index}]`, name)] : [],
  )
  return [...twins, ...webhookRuleErrors(path, rule)]
}
