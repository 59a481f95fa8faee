/** The operator of CloudNativePG in a Pod of a real node, with the permissions of an administrator. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { missingOperator } from '../cnpg-operator/start-operator.js'
import type { RealNode } from './real-node.js'
import { loadImage } from './stand-in.js'

export { missingOperator }

const namespace = 'cnpg-system'
const image = 'cloudnative-pg:test'
const name = 'cnpg-controller-manager'
const labels = { 'app.kubernetes.io/name': 'cloudnative-pg' }

/**
 * Deploys the operator as its own manifests do, and waits until it runs. Postgres is that of `localhost/postgresql:15`.
 */
export async function deployCnpgOperator(node: RealNode): Promise<void> {
  const folder = process.env.CNPG_OPERATOR ?? ''
  const lines = [
    'FROM localhost/node:24-slim',
    'COPY operator /operator',
    'RUN ln -s /operator/manager_* /manager',
  ]
  await loadImage(node, image, { lines, folder })
  await node.load('localhost/postgresql:15')
  await node.kubectl('apply', '--server-side', '-f', join(folder, 'definitions'))
  await node.apply([account, binding, service, deployment])
  await node.apply(webhooksOf(await readFile(join(folder, 'webhooks.yaml'), 'utf8')))
  await node.kubectl('-n', namespace, 'rollout', 'status', `deployment/${name}`, '--timeout=300s')
}

/** The configurations of the webhooks by the names that the operator looks for; it writes its authority into them. */
const webhooksOf = (text: string) =>
  text
    .replaceAll(/name: (mutating|validating|webhook-service)/g, 'name: cnpg-$1')
    .replaceAll('namespace: system', `namespace: ${namespace}`)

const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'cnpg-manager', namespace } }
const binding = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'cnpg-manager' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ kind: 'ServiceAccount', name: 'cnpg-manager', namespace }],
}
const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'cnpg-webhook-service', namespace },
  spec: { selector: labels, ports: [{ port: 443, targetPort: 9443 }] },
}
const container = {
  name: 'manager',
  image,
  command: ['/manager'],
  args: ['controller', '--leader-elect', '--webhook-port=9443'],
  env: [
    { name: 'OPERATOR_IMAGE_NAME', value: image },
    { name: 'OPERATOR_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
    { name: 'POSTGRES_IMAGE_NAME', value: 'localhost/postgresql:15' },
  ],
  readinessProbe: { httpGet: { port: 9443, scheme: 'HTTPS', path: '/readyz' }, periodSeconds: 2 },
  volumeMounts: [
    { mountPath: '/controller', name: 'scratch-data' },
    { mountPath: '/run/secrets/cnpg.io/webhook', name: 'webhook-certificates' },
  ],
  securityContext: {
    runAsUser: 10_001,
    runAsGroup: 10_001,
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
  },
}
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace, labels },
  spec: {
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        serviceAccountName: 'cnpg-manager',
        terminationGracePeriodSeconds: 10,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [container],
        volumes: [
          { name: 'scratch-data', emptyDir: {} },
          {
            name: 'webhook-certificates',
            secret: { optional: true, secretName: 'cnpg-webhook-cert' },
          },
        ],
      },
    },
  },
}
