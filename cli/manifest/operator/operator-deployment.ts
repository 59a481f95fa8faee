import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import type {
  OperatorDescription,
  WebhooksDescription,
} from '../../../sdk/operator/describe/operator-description.js'
import { serviceAccountOf } from '../../roles/service-account.js'
import { deploymentOf, podLabels } from '../deployment.js'
import {
  containerSecurity,
  heapOption,
  leaseIdentity,
  probes,
  resourcesOf,
  temporaryFiles,
} from '../restricted-pod.js'
import { wholeObject } from '../whole-object.js'
import { metricsPort, probesPort, securePort } from './metrics-objects.js'
import type { OperatorManifestOptions } from './operator-options.js'

/** The Deployment of an operator. Replicas run on different nodes if possible. */
export function operatorDeployment(
  description: OperatorDescription,
  options: OperatorManifestOptions,
): KubeObject {
  const { name, ownNamespace: namespace, stopDeadlineMs } = description
  const { replicas, priorityClass, pod: added } = options
  const pod = {
    serviceAccountName: serviceAccountOf(description),
    ...(priorityClass !== undefined && { priorityClassName: priorityClass }),
    ...(replicas > 1 && { affinity: onDifferentNodes(podLabels(name)) }),
    containers: [container(description, options)],
    ...unlessEmpty('volumes', volumesOf(description)),
  }
  return deploymentOf({ name, namespace, replicas, stopDeadlineMs, pod, added })
}

/** Keeps one replica during drains. With one replica it would block them. */
export function disruptionBudget(
  { name, ownNamespace: namespace }: OperatorDescription,
  { replicas }: Pick<OperatorManifestOptions, 'replicas'>,
): KubeObject[] {
  if (replicas < 2) return []
  const spec = { minAvailable: 1, selector: { matchLabels: podLabels(name) } }
  return [
    wholeObject({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name, namespace },
      spec,
    }),
  ]
}

function onDifferentNodes(matchLabels: Record<string, string>) {
  const podAffinityTerm = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels } }
  return {
    podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm }] },
  }
}

function container(description: OperatorDescription, options: OperatorManifestOptions) {
  const { image, memoryMiB, secureMetrics } = options
  const { webhooks } = description
  return {
    name: 'operator',
    image,
    env: [
      { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
      { name: 'METRICS_ADDRESS', value: `:${probesPort}` },
      ...(secureMetrics ? [{ name: 'SECURE_METRICS_ADDRESS', value: `:${securePort}` }] : []),
      { name: 'NODE_OPTIONS', value: heapOption(memoryMiB) },
      ...leaseIdentity('operator'),
      ...(hasOthers(description) ? [{ name: 'CLUSTER_KUBECONFIGS', value: otherClusters }] : []),
    ],
    ports: [
      { name: 'probes', containerPort: probesPort },
      ...(secureMetrics ? [metricsPort(options)] : []),
      ...(webhooks ? [{ name: 'webhooks', containerPort: webhooks.port }] : []),
    ],
    ...probes(),
    resources: resourcesOf(memoryMiB),
    securityContext: containerSecurity(),
    ...unlessEmpty('volumeMounts', mountsOf(description)),
  }
}

/** The folder with the kubeconfigs of the other clusters. */
const otherClusters = '/var/run/secrets/clusters'

const hasOthers = ({ clusters }: OperatorDescription) => clusters.length > 1

function volumesOf(description: OperatorDescription): object[] {
  const { name, webhooks, writesTemporaryFiles } = description
  const secret = { secretName: `${name}-clusters` }
  return [
    ...(hasOthers(description) ? [{ name: 'clusters', secret }] : []),
    ...(webhooks?.certificateFolder ? [certificateVolume(webhooks)] : []),
    ...(writesTemporaryFiles ? [temporaryFiles.volume] : []),
  ]
}

function mountsOf(description: OperatorDescription): object[] {
  const { webhooks, writesTemporaryFiles } = description
  const folder = webhooks?.certificateFolder
  return [
    ...(hasOthers(description) ? [{ name: 'clusters', mountPath: otherClusters, readOnly: true }] : []),
    ...(folder ? [{ name: 'certificate', mountPath: folder, readOnly: true }] : []),
    ...(writesTemporaryFiles ? [temporaryFiles.mount] : []),
  ]
}

const unlessEmpty = (name: string, list: readonly object[]) => (list.length > 0 ? { [name]: list } : {})

const certificateVolume = ({ secret }: WebhooksDescription) => ({
  name: 'certificate',
  secret: { secretName: secret },
})
