// The operator of the case `operator`, whose Pod is evicted because the memory of the node is short.
import type { Test } from 'tap'
import { until } from '../../until.js'
import { grows, leader, namespace, pods } from '../caches-operator.js'
import { changesSince } from '../changes-since.js'
import { firstEvicted } from '../memory-pressure.js'
import type { Loose, RealNode } from '../real-node.js'
import type { Evicted } from './pod-case.js'

const inNamespace = ['-n', namespace]

/** One replica of the operator, which leads. */
export async function evictedOperator(t: Test, node: RealNode): Promise<Evicted> {
  await node.kubectl(
    ...inNamespace,
    'patch',
    'deployment',
    'caches',
    '--type=json',
    '-p',
    JSON.stringify(alone),
  )
  await runs(node)
  await isWrittenByLeader(node)
  const list: Loose = JSON.parse(await node.read(configMaps))
  const names = list.items.filter(isWritten).map(({ metadata }: Loose) => metadata.name)
  t.not(names.length, 0)
  const { pod, identity } = await leader(node)
  return {
    title: 'an operator comes back, and writes each object once',
    isEvicted: async () => (await podOf(node, pod.metadata.name)).status.reason === 'Evicted',
    async comesBack(t) {
      await node.kubectl(...inNamespace, 'delete', 'pods', '--field-selector=status.phase=Failed')
      await runs(node)
      await until(async () => ![identity, ''].includes((await leader(node)).identity))
      await grows(node, 1, 'after-eviction')
      await isWrittenByLeader(node)
      // The data names the process that wrote it, so each leader writes each object, once.
      const written = await writesSince(node, list.metadata.resourceVersion)
      t.strictSame(written, [...new Set(written)])
      const ofKnown = written.filter((one) => !one.includes(' after-eviction '))
      t.ok(ofKnown.length >= names.length)
      const others = ofKnown.filter((one) => !one.startsWith('MODIFIED '))
      t.strictSame(others, [], 'no object is made again')
    },
  }
}

/** One replica, which a kubelet may evict first: it requests less than it uses. */
const alone = [
  { op: 'replace', path: '/spec/replicas', value: 1 },
  { op: 'add', path: '/spec/template/spec/priorityClassName', value: firstEvicted.metadata.name },
  { op: 'replace', path: '/spec/template/spec/containers/0/resources/requests/memory', value: '16Mi' },
]

const podOf = (node: RealNode, name: string): Promise<Loose> => node.get(...inNamespace, 'pod', name)

/** Waits for the one Pod, which leads. */
async function runs(node: RealNode): Promise<void> {
  await node.kubectl(...inNamespace, 'rollout', 'status', 'deployment/caches', '--timeout=300s')
  await until(async () => (await pods(node)).length === 1)
  await until(async () => (await leader(node)).pod !== undefined)
}

const configMaps = '/api/v1/namespaces/default/configmaps'
/** Whether the operator wrote a ConfigMap. */
const isWritten = ({ data }: Loose): boolean => data?.writer !== undefined

/** Waits until the leader has written all ConfigMaps: their data names the Pod. */
async function isWrittenByLeader(node: RealNode): Promise<void> {
  await until(async () => {
    const { pod } = await leader(node)
    const { items }: Loose = JSON.parse(await node.read(configMaps))
    return items.filter(isWritten).every(({ data }: Loose) => data.writer.startsWith(`${pod.metadata.name} `))
  })
}

/** The writes of the operator after a revision, each with its process. */
async function writesSince(node: RealNode, revision: string): Promise<string[]> {
  const changes = await changesSince(node, configMaps, { revision, seconds: 10 })
  return changes
    .filter(({ object }) => isWritten(object))
    .map(({ type, object }) => `${type} ${object.metadata.name} ${object.data.writer}`)
}
