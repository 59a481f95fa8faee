// Runs kube-controller-manager and kube-scheduler on the embedded server and on a real kube-apiserver, and compares the
// objects that they make.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createApiServer } from '../../apiserver/api-server.js'
import { openCaseClient } from '../conformance/case-client.js'
import type { ClusterUnderTest } from '../conformance/cluster-under-test.js'
import { httpsCluster } from '../conformance/https-cluster.js'
import { missingAssets, patientWithNodes, startRealCluster } from '../real/real-cluster.js'
import { until } from '../until.js'
import { startComponent } from './component.js'
import { normal } from './normal.js'
import { type Story, stories } from './stories.js'
import { storyClientOf } from './story-client.js'

t.setTimeout(600_000)
t.comment('timeout=600000')

/** The embedded server with the controllers of kube-controller-manager in place of its own. */
async function openEmbedded(t: Test): Promise<ClusterUnderTest> {
  const server = await createApiServer({ controllers: false })
  t.teardown(() => server.close())
  await server.listen()
  const kubeconfig = await server.kubeconfig()
  await startPrograms(t, kubeconfig, ['kube-controller-manager', 'kube-scheduler'])
  return httpsCluster({ name: 'embedded', kubeconfig, hasControllerManager: true })
}

async function openReal(t: Test): Promise<ClusterUnderTest> {
  const { kubeconfig, stop } = await startRealCluster({ controllerManager: true })
  t.teardown(stop)
  await startPrograms(t, kubeconfig, ['kube-scheduler'])
  return httpsCluster({ name: 'real', kubeconfig, hasControllerManager: true })
}

async function startPrograms(
  t: Test,
  kubeconfig: string,
  programs: readonly ('kube-controller-manager' | 'kube-scheduler')[],
): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'components-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  const root = join(dir, 'ca.crt')
  const [, authority = ''] = /certificate-authority-data"?: "?([\w+/=]+)/.exec(kubeconfig) ?? []
  await writeFile(root, Buffer.from(authority, 'base64'))
  for (const program of programs) {
    const args = program === 'kube-scheduler' ? [] : [`--root-ca-file=${root}`, patientWithNodes]
    const component = await startComponent({ program, dir, kubeconfig, args })
    t.teardown(() => component.stop())
  }
}

/** Makes a node that is ready, as its kubelet would. */
async function makeNode(cluster: ClusterUnderTest): Promise<void> {
  const { client, end } = openCaseClient(cluster, 'default')
  await client.make('nodes', { metadata: { name: 'node' } })
  const amounts = { cpu: '4', memory: '8Gi', pods: '110' }
  const now = new Date().toISOString().replace(/\.\d+Z/, 'Z')
  const ready = { type: 'Ready', status: 'True', lastHeartbeatTime: now, lastTransitionTime: now }
  const status = { capacity: amounts, allocatable: amounts, conditions: [ready] }
  client.expect.answer(await client.patch('nodes/node/status', 'merge', { status }), 200)
  await until(async () => {
    const { spec } = (await client.read('nodes/node')) as { spec?: { taints?: object[] } }
    return (spec?.taints ?? []).length === 0
  })
  end()
}

/** Plays all stories at the same time, and returns the objects of each at its end. */
async function playAll(cluster: ClusterUnderTest): Promise<unknown[]> {
  await makeNode(cluster)
  return Promise.all(stories.map((story, at) => playStory(cluster, story, `story-${at}`)))
}

async function playStory(cluster: ClusterUnderTest, story: Story, namespace: string): Promise<unknown> {
  const { client, end } = openCaseClient(cluster, namespace)
  await client.make('namespaces', { metadata: { name: namespace } })
  await until(async () => (await client.get('serviceaccounts/default')).status === 200)
  const stage = storyClientOf(client)
  try {
    await story.play(stage)
    const lists = await Promise.all(
      story.shows.map(async (list) => ({ list, items: await stage.items(list) })),
    )
    return lists.map((one) => normal(one))
  } catch (error) {
    return { error: String(error) }
  } finally {
    end()
  }
}

void t.test(
  'kube-controller-manager and kube-scheduler do the same on the embedded server as on a real one',
  { skip: missingAssets('kube-controller-manager', 'kube-scheduler') },
  async (t) => {
    const [embedded, real] = await Promise.all([openEmbedded(t), openReal(t)])
    const [here, there] = await Promise.all([playAll(embedded), playAll(real)])
    for (const [at, { name }] of stories.entries()) {
      t.notMatch(there[at], { error: String }, `${name}: played on the real server`)
      t.strictSame(here[at], there[at], name)
    }
    await Promise.all([embedded.close(), real.close()])
  },
)
