import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import type { OperatorDescription } from '../../../sdk/operator/describe/operator-description.js'
import { podLabels } from '../deployment.js'
import { wholeObject } from '../whole-object.js'
import { metricsPort } from './metrics-objects.js'
import type { OperatorManifestOptions } from './operator-options.js'

/** The label of the namespaces that may read the metrics, as in the projects of kubebuilder. */
const readers = { matchLabels: { metrics: 'enabled' } }

/**
 * Allows connections to the webhooks from the networks of the API servers, or from everywhere if they are not named,
 * because an API server is not a Pod that labels select; and to the metrics from namespaces with the label `metrics:
 * enabled`. The kubelet always reaches the Pods of its node.
 */
export function networkPolicy(
  description: OperatorDescription,
  options: OperatorManifestOptions,
): KubeObject {
  const { name, ownNamespace: namespace, webhooks } = description
  const { apiServers } = options
  const port = (port: number) => [{ protocol: 'TCP', port }]
  const spec = {
    podSelector: { matchLabels: podLabels(name) },
    policyTypes: ['Ingress'],
    ingress: [
      { from: [{ namespaceSelector: readers }], ports: port(metricsPort(options).containerPort) },
      ...(webhooks
        ? [
            {
              ...(apiServers && { from: apiServers.map((cidr) => ({ ipBlock: { cidr } })) }),
              ports: port(webhooks.port),
            },
          ]
        : []),
    ],
  }
  return wholeObject({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, namespace },
    spec,
  })
}
