import type { CnpgPluginDescription } from '../../../sdk/cnpg/description.js'
import type { KubeObject } from '../../../sdk/kube/object.js'
import {
  containerSecurity,
  gracePeriod,
  heapOption,
  podSecurity,
  probes,
  resourcesOf,
} from '../restricted-pod.js'
import { secretNames } from './certificates.js'
import type { CnpgManifestOptions } from './cnpg-options.js'

/** The port of the gRPC server. */
export const grpcPort = 9090
const webhookPort = 9443
const probesPort = 8080

/** The labels of the Pods of a plugin. */
export const podLabels = (service: string) => ({ 'app.kubernetes.io/name': service })

/** Options of {@link cnpgDeployment}. */
export interface CnpgDeploymentOptions extends CnpgManifestOptions {
  service: string
  hasWebhooks: boolean
}

/** The Deployment of a plugin, under the restricted Pod Security Standard. */
export function cnpgDeployment(
  { stopDeadlineMs }: CnpgPluginDescription,
  options: CnpgDeploymentOptions,
): KubeObject {
  const { service, namespace, replicas } = options
  const { server, client } = secretNames(service)
  const spec = {
    serviceAccountName: service,
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: gracePeriod(stopDeadlineMs),
    securityContext: podSecurity(),
    containers: [container(options)],
    volumes: [
      { name: 'server', secret: { secretName: server } },
      // Not the key: the plugin only has to know the operator's certificate.
      { name: 'client', secret: { secretName: client, items: [{ key: 'tls.crt', path: 'tls.crt' }] } },
    ],
  }
  const labels = () => podLabels(service)
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: service, namespace, labels: labels() },
    ...{
      spec: {
        replicas,
        selector: { matchLabels: labels() },
        template: { metadata: { labels: labels() }, spec },
      },
    },
  }
}

function container({ image, memoryMiB, hasWebhooks }: CnpgDeploymentOptions) {
  const port = (name: string, containerPort: number) => ({ name, containerPort })
  return {
    name: 'plugin',
    image,
    env: Object.entries({
      SERVER_ADDRESS: `:${grpcPort}`,
      SERVER_CERT: '/server/tls.crt',
      SERVER_KEY: '/server/tls.key',
      CLIENT_CA: '/client/tls.crt',
      ...(hasWebhooks && { WEBHOOK_ADDRESS: `:${webhookPort}` }),
      METRICS_ADDRESS: `:${probesPort}`,
      NODE_OPTIONS: heapOption(memoryMiB),
    }).map(([name, value]) => ({ name, value })),
    ports: [
      port('grpc', grpcPort),
      ...(hasWebhooks ? [port('webhooks', webhookPort)] : []),
      port('probes', probesPort),
    ],
    ...probes(),
    resources: resourcesOf(memoryMiB),
    securityContext: containerSecurity(),
    volumeMounts: ['server', 'client'].map((name) => ({ name, mountPath: `/${name}`, readOnly: true })),
  }
}
