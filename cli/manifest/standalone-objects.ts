import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { PluginDescription } from '../../sdk/vcluster/plugin/description.js'
import { permissionsOf } from '../../sdk/vcluster/plugin/permissions.js'
import { type RoleObject, roleObjects } from '../roles/role-objects.js'
import { deploymentOf } from './deployment.js'
import type { PodOptions } from './pod-options.js'
import { containerSecurity, leaseIdentity, probes, temporaryFiles } from './restricted-pod.js'
import { wholeObject } from './whole-object.js'

/** Options of {@link standaloneObjects}. */
export interface StandaloneOptions {
  image: string
  /** The vcluster's name, also of its Service and its Secret `vc-<name>`. */
  vclusterName: string
  /** The vcluster's host namespace, in which the plugin runs as well. */
  namespace: string
  /** Additions of the user to the Pods; default none. */
  pod?: PodOptions | undefined
}

const account = '/var/run/secrets/kubernetes.io/serviceaccount'
const metricsPort = 9090
/** The default of a plugin, whose description does not say it, in milliseconds. */
const stopDeadlineMs = 10_000

/**
 * The objects of a standalone plugin in the host cluster: a ServiceAccount with its roles, the two kubeconfigs and a
 * Deployment. The virtual cluster's kubeconfig is in vcluster's Secret
 * (https://www.vcluster.com/docs/vcluster/configure/vcluster-yaml/export-kube-config/). By default its server is
 * localhost, so the vcluster needs `exportKubeConfig.server: https://<name>.<namespace>:443`. The host's kubeconfig
 * uses the ServiceAccount.
 */
export function standaloneObjects(description: PluginDescription, options: StandaloneOptions): KubeObject[] {
  const { name } = description
  const { namespace } = options
  const named = { metadata: { name, namespace } }
  const permissions = permissionsOf(description, { mode: 'standalone' })
  const roles = roleObjects(permissions, { name, side: 'host', namespace }).map((role) =>
    qualified(role, namespace),
  )
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', ...named },
    ...roles.flatMap((role) => [role, bindingOf(role, name, namespace)]),
    wholeObject({ apiVersion: 'v1', kind: 'ConfigMap', ...named, data: { kubeconfig: hostKubeconfig() } }),
    deployment(description, options),
  ]
}

/**
 * A role outside of the vcluster's namespace is named after that namespace as well, because each vcluster may have the
 * plugin.
 */
function qualified(role: RoleObject, namespace: string): RoleObject {
  const { metadata } = role
  if (metadata.namespace === namespace) return role
  return { ...role, metadata: { ...metadata, name: `${namespace}-${metadata.name}` } }
}

function bindingOf({ apiVersion, kind, metadata }: RoleObject, name: string, namespace: string): KubeObject {
  const binding = {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: metadata.name },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  }
  return { apiVersion, kind: `${kind}Binding`, metadata, ...binding }
}

/** The kubeconfig of a Pod for its own cluster, as JSON. The token is read again after a change. */
function hostKubeconfig(): string {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'host',
        cluster: { server: 'https://kubernetes.default.svc', 'certificate-authority': `${account}/ca.crt` },
      },
    ],
    users: [{ name: 'plugin', user: { tokenFile: `${account}/token` } }],
    contexts: [{ name: 'host', context: { cluster: 'host', user: 'plugin' } }],
    'current-context': 'host',
  }
  return `${JSON.stringify(config, undefined, 2)}\n`
}

function deployment(description: PluginDescription, options: StandaloneOptions): KubeObject {
  const { name, writesTemporaryFiles } = description
  const { namespace, vclusterName, pod: added } = options
  const pod = {
    containers: [container(description, options)],
    volumes: [
      { name: 'virtual', secret: { secretName: `vc-${vclusterName}` } },
      { name: 'host', configMap: { name } },
      ...(writesTemporaryFiles ? [temporaryFiles.volume] : []),
    ],
  }
  return deploymentOf({ name, namespace, replicas: 1, stopDeadlineMs, pod, added })
}

function container(
  { name, writesTemporaryFiles }: PluginDescription,
  { image, namespace, vclusterName }: StandaloneOptions,
) {
  const env = {
    PLUGIN_NAME: name,
    VIRTUAL_KUBECONFIG: '/kubeconfigs/virtual/config',
    HOST_KUBECONFIG: '/kubeconfigs/host/kubeconfig',
    VCLUSTER_NAME: vclusterName,
    TARGET_NAMESPACE: namespace,
    METRICS_ADDRESS: `:${metricsPort}`,
  }
  return {
    name,
    image,
    env: [...Object.entries(env).map(([name, value]) => ({ name, value })), ...leaseIdentity(name)],
    ports: [{ name: 'metrics', containerPort: metricsPort }],
    ...probes('metrics'),
    securityContext: containerSecurity(),
    volumeMounts: [
      { name: 'virtual', mountPath: '/kubeconfigs/virtual', readOnly: true },
      { name: 'host', mountPath: '/kubeconfigs/host', readOnly: true },
      ...(writesTemporaryFiles ? [temporaryFiles.mount] : []),
    ],
  }
}
