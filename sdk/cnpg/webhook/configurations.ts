import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { WebhookEndpoint } from '../../engine/webhook/configuration/client-config.js'
import { clientConfigOf } from '../../engine/webhook/configuration/client-config.js'
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
  type WebhookConfiguration,
} from '../../engine/webhook/configuration/webhook-configuration.js'
import { clusters } from '../cluster/cluster.js'
import { checkPluginName } from '../plugin-metadata.js'
import { admissionPaths } from './admission-server.js'

/** Options of {@link clusterWebhookConfigurations}. */
export interface ClusterWebhookOptions {
  /** The name of the plugin. */
  name: string
  endpoint: WebhookEndpoint
  /** Certificates of the authorities to trust, PEM; default none, for an injector of cert-manager. */
  authorities?: readonly string[]
  /** The Certificate of cert-manager whose authority is injected, as `namespace/name`; default none. */
  injectFrom?: string
  /** Whether the plugin has `default`, and `validateCreate` or `validateChange`; default both. */
  has?: { readonly default: boolean; readonly validate: boolean }
}

/**
 * The webhook configurations by which an API server calls a plugin for Clusters that name the plugin. While the plugin
 * is down, these Clusters cannot be changed. A Cluster without an enabled entry of the plugin is not sent to it.
 *
 * @example
 * ```ts
 * const objects = clusterWebhookConfigurations({
 *   name: 'hello.example.org',
 *   endpoint: { service: { namespace: 'cnpg-system', name: 'hello' } },
 *   injectFrom: 'cnpg-system/hello-server',
 * })
 * ```
 */
export function clusterWebhookConfigurations(options: ClusterWebhookOptions): WebhookConfiguration[] {
  // The name becomes part of a CEL expression.
  checkPluginName(options.name)
  const { has = { default: true, validate: true } } = options
  return [
    ...(has.default ? [configuration(mutatingWebhookConfigurations, 'default', options)] : []),
    ...(has.validate ? [configuration(validatingWebhookConfigurations, 'validate', options)] : []),
  ]
}

/** The requests that are sent to the webhooks. */
const writesOfClusters = {
  apiGroups: [clusters.group],
  apiVersions: [clusters.version],
  resources: [clusters.plural],
  operations: ['CREATE', 'UPDATE'],
  scope: 'Namespaced',
}

function configuration(
  { kind }: Resource<KubeObject>,
  purpose: keyof typeof admissionPaths,
  options: ClusterWebhookOptions,
): WebhookConfiguration {
  const { name, injectFrom } = options
  const annotations = injectFrom !== undefined && {
    annotations: { 'cert-manager.io/inject-ca-from': injectFrom },
  }
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name, ...annotations },
    webhooks: [webhookOf(purpose, options)],
  }
}

/** The webhook for the Clusters that name the plugin. */
function webhookOf(
  purpose: keyof typeof admissionPaths,
  { name, endpoint, authorities = [] }: ClusterWebhookOptions,
) {
  return {
    name: `${purpose}.${name}`,
    clientConfig: clientConfigOf(admissionPaths[purpose], { endpoint, authorities }),
    rules: [writesOfClusters],
    admissionReviewVersions: ['v1'],
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    sideEffects: 'None',
    timeoutSeconds: 5,
    matchConditions: [
      { name: 'not-terminating', expression: '!has(object.metadata.deletionTimestamp)' },
      { name: 'names-the-plugin', expression: namesPlugin(name) },
    ],
    ...(purpose === 'default' && { reinvocationPolicy: 'IfNeeded' }),
  }
}

function namesPlugin(name: string): string {
  const isEnabled = (entry: string) =>
    `${entry}.name == '${name}' && (!has(${entry}.enabled) || ${entry}.enabled)`
  const plugins = `has(object.spec.plugins) && object.spec.plugins.exists(p, ${isEnabled('p')})`
  const external = `has(object.spec.externalClusters) && object.spec.externalClusters.exists(c, has(c.plugin) && ${isEnabled('c.plugin')})`
  return `(${plugins}) || (${external})`
}
