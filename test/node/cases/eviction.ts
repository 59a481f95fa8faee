// An operator whose Pod is evicted because the memory of the node is short. It uses that of the case `operator`.
import { until } from '../../until.js'
import { grows, leader, namespace, pods } from '../caches-operator.js'
import { firstEvicted, underMemoryPressure } from '../memory-pressure.js'
import type { Loose, RealNode } from '../real-node.js'
import type { PodCase } from './pod-case.js'

export const eviction: PodCase = {
  title: 'an operator that is evicted for the memory of its node comes back, and writes each object once',
  async run(t, node) {
    await node.apply(firstEvicted)
    await node.kubectl(
      '-n',
      namespace,
      'patch',
      'deployment',
      'caches',
      '--type=json',
      '-p',
      JSON.stringify(alone),
    )
    await runs(node)
    await isWrittenByLeader(node)
    const list: Loose = JSON.parse(await node.kubectl('get', '--raw', configMaps))
    const names = list.items.filter(isWritten).map(({ metadata }: Loose) => metadata.name)
    t.not(names.length, 0)
    const { pod, identity } = await leader(node)
    await underMemoryPressure(node, async () => {
      await until(async () => (await podOf(node, pod.metadata.name)).status.reason === 'Evicted')
    })
    await node.kubectl('-n', namespace, 'delete', 'pods', '--field-selector=status.phase=Failed')
    await runs(node)
    await until(async () => ![identity, ''].includes((await leader(node)).identity))
    await grows(node, 1, 'after-eviction')
    await isWrittenByLeader(node)
    // The data names the process that wrote it, so each leader writes each object, once.
    const written = await writesSince(node, list.metadata.resourceVersion)
    t.strictSame(written, [...new Set(written)])
    const ofKnown = written.filter((one) => !one.includes(' after-eviction '))
    t.ok(ofKnown.length >= names.length)
    t.strictSame(
      ofKnown.filter((one) => !one.startsWith('MODIFIED ')),
      [],
      'no object is made again',
    )
  },
}

/** One replica, which a kubelet may evict first: it requests less than it uses. */
const alone = [
  { op: 'replace', path: '/spec/replicas', value: 1 },
  { op: 'add', path: '/spec/template/spec/priorityClassName', value: firstEvicted.metadata.name },
  { op: 'replace', path: '/spec/template/spec/containers/0/resources/requests/memory', value: '16Mi' },
]

const podOf = (node: RealNode, name: string): Promise<Loose> => node.get('-n', namespace, 'pod', name)

/** Waits for the one Pod, which leads. */
async function runs(node: RealNode): Promise<void> {
  await node.kubectl('-n', namespace, 'rollout', 'status', 'deployment/caches', '--timeout=120s')
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
    const { items }: Loose = JSON.parse(await node.kubectl('get', '--raw', configMaps))
    return items.filter(isWritten).every(({ data }: Loose) => data.writer.startsWith(`${pod.metadata.name} `))
  })
}

/** The writes of the operator after a revision, each with its process. */
async function writesSince(node: RealNode, revision: string): Promise<string[]> {
  const path = `${configMaps}?watch=1&resourceVersion=${revision}&timeoutSeconds=10`
  const lines = (await node.kubectl('get', '--raw', path)).split('\n').filter(Boolean)
  const events = lines.map((line) => JSON.parse(line) as { type: string; object: Loose })
  const failed = events.find(({ type }) => type === 'ERROR')
  if (failed) throw new Error(`the watch ended: ${failed.object.message}`)
  return events
    .filter(({ object }) => isWritten(object))
    .map(({ type, object }) => `${type} ${object.metadata.name} ${object.data.writer}`)
}
