// `vcluster-plugin manifest` of a plugin for CloudNativePG on a real control plane.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { parseAllDocuments } from 'yaml'
import { createClient } from '../sdk/engine/client/create-client.js'
import { namespaces, pods } from '../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../sdk/engine/kube/object.js'
import { createTransport } from '../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import { root } from './dev-run.js'
import { missingAssets, startRealCluster } from './real/real-cluster.js'

const skip = missingAssets('kube-controller-manager')
const namespace = 'cnpg-system'

void t.test('a real API server takes the manifest of the example', { skip, timeout: 600_000 }, async (t) => {
  const cluster = await startRealCluster({ controllerManager: true })
  t.teardown(() => cluster.stop())
  const transport = createTransport({ kubeconfig: await loadKubeconfig({ text: cluster.kubeconfig }) })
  t.teardown(() => transport.close())
  const admin = createClient({ transport })
  const enforced = { 'pod-security.kubernetes.io/enforce': 'restricted' }
  await admin.create(namespaces, { metadata: { name: namespace, labels: enforced } })
  const command = ['bin/vcluster-plugin.js', 'manifest', 'examples/cnpg-hello-world', '--replicas', '1']
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: root })
  const objects: KubeObject[] = parseAllDocuments(stdout).map((one) => one.toJS())
  t.same(
    objects.map(({ kind }) => kind),
    [
      'Issuer',
      ...['Certificate', 'Certificate'],
      ...['ServiceAccount', 'Deployment', 'Service'],
      ...['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
    ],
  )
  // The definitions of cert-manager are not installed here.
  for (const body of objects.filter(({ apiVersion }) => !apiVersion?.startsWith('cert-manager.io/'))) {
    const [group = '', version = group] = (body.apiVersion ?? '').split('/')
    const { kind = '', metadata } = body
    const resource = {
      group: group === version ? '' : group,
      version,
      kind,
      plural: `${kind.toLowerCase()}s`,
      namespaced: metadata.namespace !== undefined,
    }
    const at = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' }
    await t.resolves(
      admin.patch(resource, at, { type: 'apply', fieldManager: 'test', body }),
      `${kind} ${at.name}`,
    )
  }
  while ((await admin.list(pods, { namespace })).items.length < 1)
    await new Promise((resolve) => setTimeout(resolve, 50))
  t.pass('its Pod passes the restricted profile')
})
