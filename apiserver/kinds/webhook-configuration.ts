import { fieldAt, type OpenObject, recordOf } from '../base/object.js'
import type { KindRules } from '../resources/kind-rules.js'
import { duplicate, type FieldError, invalidValue, required, unsupported } from '../validation/field-error.js'
import { checkSubdomainName } from '../validation/names.js'
import { repeatedIndexes } from '../validation/repeated.js'
import { reviewVersionErrors, reviewVersions } from '../validation/review-versions.js'
import { webhookAddressErrors } from '../validation/webhook-address.js'
import { matchConditionErrors } from './match-conditions.js'
import { type LabelSelector, selectorErrors } from './selector-errors.js'
import { webhookRuleErrors } from './webhook-rules.js'

type Members = Readonly<Record<string, unknown>>

const allowedSideEffects = ['None', 'NoneOnDryRun']

function configurationErrors(object: OpenObject): FieldError[] {
  const webhooks = fieldAt(object, 'webhooks')
  if (!Array.isArray(webhooks)) return []
  const names = webhooks.map((webhook) => recordOf(webhook).name ?? '')
  const repeated = repeatedIndexes(names)
  return webhooks.flatMap((webhook, index) => {
    const path = `webhooks[${index}]`
    const isDuplicate = names[index] !== '' && repeated.has(index)
    return [
      ...webhookErrors(path, recordOf(webhook)),
      ...reviewVersionErrors(`${path}.admissionReviewVersions`, recordOf(webhook).admissionReviewVersions, {
        ifNone: `must specify one of ${reviewVersions.join(', ')}`,
      }),
      ...(isDuplicate ? [duplicate(`${path}.name`, names[index])] : []),
    ]
  })
}

/** `validateValidatingWebhook` and `validateMutatingWebhook` of Kubernetes v1.36.3. */
function webhookErrors(path: string, webhook: Members): FieldError[] {
  const { sideEffects, timeoutSeconds, rules } = webhook
  const effects = `${path}.sideEffects`
  const errors = nameErrors(`${path}.name`, String(webhook.name ?? ''))
  if (Array.isArray(rules)) {
    errors.push(
      ...rules.flatMap((rule, index) => webhookRuleErrors(`${path}.rules[${index}]`, recordOf(rule))),
    )
  }
  errors.push(...choiceErrors(`${path}.failurePolicy`, webhook.failurePolicy, ['Fail', 'Ignore']))
  errors.push(...choiceErrors(`${path}.matchPolicy`, webhook.matchPolicy, ['Equivalent', 'Exact']))
  if (isAbsent(sideEffects))
    errors.push(required(effects, `must specify one of ${allowedSideEffects.join(', ')}`))
  else errors.push(...choiceErrors(effects, sideEffects, allowedSideEffects))
  if (!isAbsent(timeoutSeconds) && !(Number(timeoutSeconds) >= 1 && Number(timeoutSeconds) <= 30)) {
    const why = 'the timeout value must be between 1 and 30 seconds'
    errors.push(invalidValue(`${path}.timeoutSeconds`, timeoutSeconds, why))
  }
  return [...errors, ...matchErrors(path, webhook)]
}

function matchErrors(path: string, webhook: Members): FieldError[] {
  const selector = (name: string) =>
    selectorErrors(webhook[name] as LabelSelector | undefined, `${path}.${name}`)
  return [
    ...selector('namespaceSelector'),
    ...selector('objectSelector'),
    ...choiceErrors(`${path}.reinvocationPolicy`, webhook.reinvocationPolicy, ['IfNeeded', 'Never']),
    ...webhookAddressErrors(`${path}.clientConfig`, webhook.clientConfig),
    ...matchConditionErrors(`${path}.matchConditions`, webhook.matchConditions),
  ]
}

const isAbsent = (value: unknown) => value === undefined || value === null

function choiceErrors(path: string, value: unknown, allowed: readonly string[]): FieldError[] {
  if (isAbsent(value) || allowed.includes(String(value))) return []
  return [unsupported(path, JSON.stringify(value), allowed)]
}

/** `IsFullyQualifiedName` of apimachinery. */
function nameErrors(path: string, name: string): FieldError[] {
  if (name === '') return [required(path, '')]
  const problem = checkSubdomainName(name)
  if (problem !== undefined) return [invalidValue(path, name, problem)]
  if (name.split('.').length >= 3) return []
  return [invalidValue(path, name, 'should be a domain with at least three segments separated by dots')]
}

/** https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/ */
export const webhookConfigurationRules: KindRules = {
  metadata: {
    generation: true,
    checksFinalizers: false,
  },
  validate: configurationErrors,
}
