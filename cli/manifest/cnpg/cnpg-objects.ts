import type { CnpgPluginDescription } from '../../../sdk/cnpg/description.js'
import { clusterWebhookConfigurations } from '../../../sdk/cnpg/webhook/configurations.js'
import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import { roleObjects } from '../../roles/role-objects.js'
import { podLabels } from '../deployment.js'
import { wholeObject } from '../whole-object.js'
import { certificateObjects, secretNames } from './certificates.js'
import { cnpgDeployment, grpcPort } from './cnpg-deployment.js'
import type { CnpgManifestOptions } from './cnpg-manifest-options.js'
import { authoritiesOf } from './self-signed.js'

/** The namespace in which CloudNativePG's own manifests install the operator. */
export const cnpgNamespace = 'cnpg-system'

/**
 * The objects that run a plugin for CloudNativePG next to the operator: certificates, a ServiceAccount with the
 * permissions that the plugin declares, a Deployment, the Service by which the operator finds the plugin, and the
 * configurations of its webhooks.
 */
export function cnpgObjects(description: CnpgPluginDescription, options: CnpgManifestOptions): KubeObject[] {
  const { namespace, secrets } = options
  const service = serviceName(description.name)
  const hasWebhooks = description.has.default || description.has.validate
  const account = { metadata: { name: service, namespace }, automountServiceAccountToken: false }
  return [
    ...(secrets ? [secrets.server, secrets.client] : certificateObjects({ service, namespace })),
    { apiVersion: 'v1', kind: 'ServiceAccount', ...account },
    ...rolesOf(description, { service, namespace }),
    cnpgDeployment(description, { ...options, service, hasWebhooks }),
    serviceOf(description, { service, namespace, hasWebhooks }),
    ...clusterWebhookConfigurations({
      name: description.name,
      has: description.has,
      endpoint: { service: { namespace, name: service } },
      ...(secrets
        ? { authorities: authoritiesOf(secrets.server) }
        : { injectFrom: `${namespace}/${secretNames(service).server}` }),
    }),
  ]
}

/**
 * The roles of the plugin, and their bindings. A ClusterRole has the name of the plugin, because it is in no namespace.
 */
function rolesOf(
  { name, permissions = [] }: CnpgPluginDescription,
  { service, namespace }: { service: string; namespace: string },
): KubeObject[] {
  const declared = permissions.map((permission) => ({
    ...permission,
    side: 'host' as const,
    namespace: permission.namespace ?? '',
  }))
  return roleObjects(declared, { name, side: 'host' }).flatMap((role) => {
    const kind = role.kind === 'ClusterRole' ? 'ClusterRoleBinding' : 'RoleBinding'
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: role.kind, name }
    const subjects = [{ kind: 'ServiceAccount', name: service, namespace }]
    const binding = { apiVersion: role.apiVersion, kind, metadata: role.metadata, roleRef, subjects }
    return [role as unknown as KubeObject, binding]
  })
}

/** The first label of the name, which is a DNS name. */
export function serviceName(plugin: string): string {
  return plugin.split('.')[0] ?? plugin
}

/** The Service of the plugin. The operator ignores it unless it has the label and all three annotations. */
function serviceOf(
  { name }: CnpgPluginDescription,
  { service, namespace, hasWebhooks }: { service: string; namespace: string; hasWebhooks: boolean },
): KubeObject {
  const { server, client } = secretNames(service)
  const annotations = {
    'cnpg.io/pluginPort': String(grpcPort),
    'cnpg.io/pluginServerSecret': server,
    'cnpg.io/pluginClientSecret': client,
  }
  const ports = [
    { name: 'grpc', port: grpcPort, targetPort: 'grpc' },
    ...(hasWebhooks ? [{ name: 'webhooks', port: 443, targetPort: 'webhooks' }] : []),
  ]
  return wholeObject({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: service, namespace, labels: { 'cnpg.io/pluginName': name }, annotations },
    spec: { selector: podLabels(service), ports },
  })
}
