import { customResourceDefinitions, secrets } from '../../engine/kube/builtin.js'
import { formatResource, type Resource } from '../../engine/kube/resource.js'
import type { AccessRule } from '../../engine/manager/unit-source.js'
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from '../../engine/webhook/configuration/webhook-configuration.js'
import { needsConversion } from '../kind/conversion/kind-converter.js'
import { asAdmission, isDefinedKind } from '../webhook/admission.js'
import type { WebhookOptions } from '../webhook/webhook-options.js'
import type { OperatorName } from './describe-webhooks.js'

/** The permissions of the webhooks of an operator: for their caches, and for a certificate of its own. */
export function webhookRules(options: WebhookOptions, operatorName: OperatorName): AccessRule[] {
  const { reads = [], certificate } = options
  return [
    ...reads.map((resource) => ruleOf(resource, ['list', 'watch'])),
    ...(certificate === 'selfSigned'
      ? [...secretRules(options, operatorName), ...publishingRules(options, operatorName)]
      : []),
  ]
}

/** RBAC cannot restrict `create` to a name. A list or watch with the name as field selector needs the name only. */
function secretRules({ secret }: WebhookOptions, { name, namespace }: OperatorName): AccessRule[] {
  const secretRule = { ...ruleOf(secrets, []), namespace }
  return [
    { ...secretRule, verbs: ['create'] },
    {
      ...secretRule,
      verbs: ['get', 'list', 'patch', 'watch'],
      names: [secret ?? `${name}-webhook-certificate`],
    },
  ]
}

function publishingRules({ kinds }: WebhookOptions, { name }: OperatorName): AccessRule[] {
  const admissions = kinds.map(asAdmission)
  const configurations = [
    ...(admissions.some((one) => one.default) ? [mutatingWebhookConfigurations] : []),
    ...(admissions.some((one) => one.validate) ? [validatingWebhookConfigurations] : []),
  ]
  const converted = admissions
    .map(({ resource }) => resource)
    .filter((resource) => isDefinedKind(resource) && needsConversion(resource))
  return [
    ...configurations.flatMap((resource) => [
      ruleOf(resource, ['create']),
      { ...ruleOf(resource, ['get', 'patch']), names: [name] },
    ]),
    ...(converted.length > 0
      ? [{ ...ruleOf(customResourceDefinitions, ['get', 'patch']), names: converted.map(formatResource) }]
      : []),
  ]
}

function ruleOf({ group, plural, namespaced }: Resource, verbs: readonly string[]): AccessRule {
  return { group, resource: plural, verbs, ...(!namespaced && { isClusterScoped: true }) }
}
