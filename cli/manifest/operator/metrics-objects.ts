import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import type { AccessRule } from '../../../sdk/engine/manager/unit-source.js'
import type { OperatorDescription } from '../../../sdk/operator/describe/operator-description.js'
import { podLabels } from '../deployment.js'
import { wholeObject } from '../whole-object.js'
import type { OperatorManifestOptions } from './operator-options.js'

/** The port of the probes, and without `secureMetrics` of the metrics. */
export const probesPort = 9090

/** The port of the metrics by HTTPS. */
export const securePort = 8443

/** The permissions by which an operator reviews who reads its metrics. */
export const reviewRules: readonly AccessRule[] = [
  {
    group: 'authentication.k8s.io',
    resource: 'tokenreviews',
    verbs: ['create'],
    isClusterScoped: true,
  },
  {
    group: 'authorization.k8s.io',
    resource: 'subjectaccessreviews',
    verbs: ['create'],
    isClusterScoped: true,
  },
]

/** The port of the container that Prometheus reads. */
export const metricsPort = ({ secureMetrics }: Pick<OperatorManifestOptions, 'secureMetrics'>) =>
  secureMetrics
    ? { name: 'metrics', containerPort: securePort }
    : { name: 'probes', containerPort: probesPort }

/**
 * The Service of the metrics of an operator, the ClusterRole of their readers, and the ServiceMonitor of the Prometheus
 * operator.
 */
export function metricsObjects(
  description: OperatorDescription,
  options: OperatorManifestOptions,
): KubeObject[] {
  const { name } = description
  return [
    metricsService(description, options),
    ...(options.secureMetrics ? [readerRole(name)] : []),
    ...(options.serviceMonitor ? [serviceMonitor(description, options)] : []),
  ]
}

function metricsService(
  { name, ownNamespace: namespace }: OperatorDescription,
  options: OperatorManifestOptions,
): KubeObject {
  const { name: targetPort, containerPort: port } = metricsPort(options)
  const metadata = { name: `${name}-metrics`, namespace, labels: podLabels(name) }
  const spec = { selector: podLabels(name), ports: [{ name: 'metrics', port, targetPort }] }
  return wholeObject({ apiVersion: 'v1', kind: 'Service', metadata, spec })
}

/** Bind it to the ServiceAccount of Prometheus. */
function readerRole(name: string): KubeObject {
  const rules = [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }]
  const metadata = { name: `${name}-metrics-reader`, labels: podLabels(name) }
  return wholeObject({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata, rules })
}

/**
 * The operator makes its certificate itself, so the ServiceMonitor does not verify it; the token is for the cluster's
 * own network.
 */
function serviceMonitor(
  { name, ownNamespace: namespace }: OperatorDescription,
  { secureMetrics }: OperatorManifestOptions,
): KubeObject {
  const secure = {
    scheme: 'https',
    bearerTokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token',
    tlsConfig: { insecureSkipVerify: true },
  }
  const endpoint = { port: 'metrics', path: '/metrics', ...(secureMetrics && secure) }
  const spec = { selector: { matchLabels: podLabels(name) }, endpoints: [endpoint] }
  return wholeObject({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: { name, namespace },
    spec,
  })
}
