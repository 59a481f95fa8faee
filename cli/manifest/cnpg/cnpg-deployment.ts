import type { CnpgPluginDescription } from '../../../sdk/cnpg/description.js'
import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import { deploymentOf } from '../deployment.js'
import { containerSecurity, heapOption, probes, resourcesOf } from '../restricted-pod.js'
import { secretNames } from './certificates.js'
import type { CnpgManifestOptions } from './cnpg-manifest-options.js'

/** The port of the gRPC server. */
export const grpcPort = 9090
const webhookPort = 9443
const probesPort = 8080

/** Options of {@link cnpgDeployment}. */
export interface CnpgDeploymentOptions extends CnpgManifestOptions {
  service: string
  hasWebhooks: boolean
}

/** The Deployment of a plugin. */
export function cnpgDeployment(
  { stopDeadlineMs, permissions = [] }: CnpgPluginDescription,
  options: CnpgDeploymentOptions,
): KubeObject {
  const { service, namespace, replicas, pod: added } = options
  const file = trustedFile(options)
  const { server, client } = secretNames(service)
  const pod = {
    // Without permissions it needs no token.
    automountServiceAccountToken: permissions.length > 0,
    containers: [container(options)],
    volumes: [
      { name: 'server', secret: { secretName: server } },
      // Not the key: the plugin only has to know the operator's certificate.
      { name: 'client', secret: { secretName: client, items: [{ key: file, path: file }] } },
    ],
  }
  return deploymentOf({ name: service, namespace, replicas, stopDeadlineMs, pod, added })
}

/** The key of the client's Secret that the plugin trusts: cert-manager's certificate is signed by itself. */
const trustedFile = ({ secrets }: CnpgDeploymentOptions) => (secrets ? 'ca.crt' : 'tls.crt')

function container(options: CnpgDeploymentOptions) {
  const { image, memoryMiB, hasWebhooks } = options
  const port = (name: string, containerPort: number) => ({ name, containerPort })
  return {
    name: 'plugin',
    image,
    env: Object.entries({
      SERVER_ADDRESS: `:${grpcPort}`,
      SERVER_CERT: '/server/tls.crt',
      SERVER_KEY: '/server/tls.key',
      CLIENT_CA: `/client/${trustedFile(options)}`,
      ...(hasWebhooks && { WEBHOOK_ADDRESS: `:${webhookPort}` }),
      METRICS_ADDRESS: `:${probesPort}`,
      // For sidecars: the same image speaks the same version.
      PLUGIN_IMAGE: image,
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
