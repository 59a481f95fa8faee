import type { CustomResourceDefinition } from '../../engine/kube/builtin.js'
import { formatResource, type Resource } from '../../engine/kube/resource.js'
import { checkOptions, type OptionTypes } from '../../engine/manager/check-options.js'
import { clientConfigOf, type WebhookEndpoint } from '../../engine/webhook/configuration/client-config.js'
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
  type WebhookConfiguration,
} from '../../engine/webhook/configuration/webhook-configuration.js'
import {
  type Admission,
  asAdmission,
  checkMayIntercept,
  isDefinedKind,
  type WebhookKind,
} from './admission.js'

/** The purpose of a webhook. */
export type WebhookPurpose = 'default' | 'validate' | 'convert'

/** Options of {@link webhookConfigurations}. */
export interface WebhookConfigurationOptions {
  /** The name of the operator. */
  name: string
  /** The namespace of the operator. */
  namespace: string
  kinds: readonly (WebhookKind | Admission | Resource)[]
  endpoint: WebhookEndpoint
  /** Certificates of the authorities to trust, PEM; default none, for an injector of cert-manager. */
  authorities?: readonly string[]
  /** The service account of the operator, whose requests are not reviewed; default the name of the operator. */
  serviceAccount?: string
  /** The Certificate of cert-manager whose authority is injected, as `namespace/name`; default none. */
  injectFrom?: string
}

const optionTypes: OptionTypes<WebhookConfigurationOptions> = {
  name: 'any',
  namespace: 'any',
  kinds: 'any',
  endpoint: 'any',
  authorities: 'any',
  serviceAccount: 'any',
  injectFrom: 'any',
}

/** The path of a webhook. */
export function webhookPath(purpose: WebhookPurpose, resource: Pick<Resource, 'group' | 'plural'>): string {
  return `/${purpose}/${formatResource(resource)}`
}

/**
 * The webhook configurations of an operator: at most one of each kind. They leave out objects that are being deleted
 * and the requests of the operator itself, so that an operator that is down does not hold up deletions. Throws
 * `PluginError` `INVALID_WEBHOOK` for a kind that the cluster needs to work.
 *
 * @example
 * ```ts
 * const objects = webhookConfigurations({
 *   name: 'memcached-operator',
 *   namespace: 'memcached-system',
 *   kinds: [backups],
 *   endpoint: { service: { namespace: 'memcached-system', name: 'memcached-operator-webhook' } },
 *   injectFrom: 'memcached-system/memcached-operator-webhook',
 * })
 * ```
 */
export function webhookConfigurations(options: WebhookConfigurationOptions): WebhookConfiguration[] {
  checkOptions('webhookConfigurations', options, optionTypes)
  const webhooks = options.kinds.map(asAdmission)
  for (const { resource } of webhooks) checkMayIntercept(resource)
  const defaulting = webhooks.filter((webhook) => webhook.default)
  const validating = webhooks.filter((webhook) => webhook.validate)
  return [
    ...configurationOf(mutatingWebhookConfigurations.kind, 'default', { options, webhooks: defaulting }),
    ...configurationOf(validatingWebhookConfigurations.kind, 'validate', { options, webhooks: validating }),
  ]
}

/**
 * The conversion of a definition by webhook, for {@link crdOf}.
 *
 * @example
 * ```ts
 * const service = { namespace: 'memcached-system', name: 'memcached-operator-webhook' }
 * const definition = crdOf(backups, { conversion: webhookConversion(backups, { endpoint: { service } }) })
 * ```
 */
export function webhookConversion(
  kind: Pick<Resource, 'group' | 'plural'>,
  options: Pick<WebhookConfigurationOptions, 'endpoint' | 'authorities'>,
): NonNullable<CustomResourceDefinition['spec']['conversion']> {
  checkOptions('webhookConversion', options, optionTypes)
  const { endpoint, authorities = [] } = options
  const clientConfig = clientConfigOf(webhookPath('convert', kind), { endpoint, authorities })
  return { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } }
}

function configurationOf(
  kind: string,
  purpose: 'default' | 'validate',
  { options, webhooks }: { options: WebhookConfigurationOptions; webhooks: readonly Admission[] },
): WebhookConfiguration[] {
  if (webhooks.length === 0) return []
  const { name, injectFrom } = options
  return [
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind,
      metadata: {
        name,
        ...(injectFrom !== undefined && { annotations: { 'cert-manager.io/inject-ca-from': injectFrom } }),
      },
      webhooks: webhooks.map((webhook) => webhookOf(webhook, purpose, options)),
    },
  ]
}

function webhookOf(
  webhook: Admission,
  purpose: 'default' | 'validate',
  options: WebhookConfigurationOptions,
) {
  const { resource, failurePolicy = isDefinedKind(resource) ? 'Fail' : 'Ignore' } = webhook
  const { name, namespace, serviceAccount = name, endpoint, authorities = [] } = options
  const { group, plural } = resource
  const { operations = ['CREATE', 'UPDATE'] } = purpose === 'validate' ? webhook : {}
  return {
    name: `${purpose}.${plural}.${group || 'core'}.${name}.webhook`,
    clientConfig: clientConfigOf(webhookPath(purpose, resource), { endpoint, authorities }),
    rules: [ruleOf(resource, operations)],
    admissionReviewVersions: ['v1'],
    failurePolicy,
    matchPolicy: 'Equivalent',
    sideEffects: 'None',
    timeoutSeconds: 5,
    matchConditions: matchConditions(namespace, serviceAccount),
    ...(purpose === 'default' && { reinvocationPolicy: 'IfNeeded' }),
    ...(!isDefinedKind(resource) && { namespaceSelector: otherNamespaces(namespace) }),
  }
}

/** The requests for a kind that a webhook is asked about. */
function ruleOf({ group, version, plural, namespaced }: Resource, operations: readonly string[]) {
  return {
    apiGroups: [group],
    apiVersions: [version],
    resources: [plural],
    operations: [...operations],
    scope: namespaced ? 'Namespaced' : 'Cluster',
  }
}

/**
 * Excludes objects that are being deleted: removing a finalizer is an UPDATE, so deletions would hang while the
 * operator is down. Also excludes requests of the operator, which need no review.
 */
function matchConditions(namespace: string, serviceAccount: string) {
  const user = `system:serviceaccount:${namespace}:${serviceAccount}`
  return [
    { name: 'not-terminating', expression: 'object == null || !has(object.metadata.deletionTimestamp)' },
    { name: 'not-own-request', expression: `request.userInfo.username != '${user}'` },
  ]
}

/** Excludes the namespace of the operator: a webhook that blocks the operator's own pod could not be repaired. */
function otherNamespaces(namespace: string) {
  const values = [...new Set([namespace, 'kube-system'])]
  return { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values }] }
}
