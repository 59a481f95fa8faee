// Restarts of a vcluster and of its plugins: copies follow afterwards, and are not written again.
import type { Test } from 'tap'
import type { Loose, RealNode } from '../../node/real-node.js'
import { until } from '../../until.js'
import { eventually, type RealVCluster } from '../real-vcluster.js'
import { configMap, isServed } from './tenant.js'

/** A change of the original reaches the copy, which stays the same object. */
async function follows(
  t: Test,
  vcluster: RealVCluster,
  text: string,
  change: () => Promise<void>,
): Promise<void> {
  const copy = () => vcluster.host('configmap', `greeting-x-default-x-${vcluster.name}`)
  const { uid } = (await copy()).metadata
  await change()
  await vcluster.ready()
  await eventually(() => vcluster.apply(configMap('greeting', text)))
  await until(async () => (await copy()).data.text === text)
  t.equal((await copy()).metadata.uid, uid, 'the copy is the same object')
}

/** Ends the first process of a container. */
export async function isRestarted(
  t: Test,
  node: RealNode,
  vcluster: RealVCluster,
  container: string,
): Promise<void> {
  const before = await vcluster.restarts(container)
  const ended = container === 'syncer' ? ['sh', '-c', 'kill 1'] : ['node', '-e', 'process.kill(1, "SIGTERM")']
  await follows(t, vcluster, `after ${container}`, async () => {
    await vcluster.exec(container, ...ended)
    await until(async () => (await vcluster.restarts(container)) > before)
  })
  await isServed(t, node, vcluster)
}

/** Lets a plugin allocate, by Node's inspector, until the kernel ends it at the limit of its container. */
export async function isKilledByMemory(
  t: Test,
  node: RealNode,
  vcluster: RealVCluster,
  container: string,
): Promise<void> {
  const before = await vcluster.restarts(container)
  await follows(t, vcluster, 'after the end by memory', async () => {
    await vcluster.exec(container, 'node', '-e', allocate).catch(() => undefined) // it ends with the container
    await until(async () => (await vcluster.restarts(container)) > before)
  })
  const { status } = await vcluster.pod()
  const { lastState } = status.containerStatuses.find(({ name }: Loose) => name === container)
  t.equal(lastState.terminated.reason, 'OOMKilled')
  await isServed(t, node, vcluster)
}

const expression = 'globalThis.kept = []; setInterval(() => kept.push(Buffer.alloc(1 << 24, 1)), 20)'
const allocate = `
  process.kill(1, 'SIGUSR1')
  const send = async () => {
    const [{ webSocketDebuggerUrl }] = await (await fetch('http://127.0.0.1:9229/json')).json()
    const socket = new WebSocket(webSocketDebuggerUrl)
    const request = { id: 1, method: 'Runtime.evaluate', params: { expression: ${JSON.stringify(expression)} } }
    socket.onopen = () => socket.send(JSON.stringify(request))
  }
  const retry = () => send().catch(() => setTimeout(retry, 100))
  retry()`

/** Evicts the Pod of a vcluster as `kubectl drain` does, and lets the node have Pods again. */
export async function isDrained(node: RealNode, { name }: RealVCluster): Promise<void> {
  const pods = ['--pod-selector', `app=vcluster,release=${name}`]
  await node.kubectl(
    'drain',
    'node1',
    ...pods,
    '--delete-emptydir-data',
    '--ignore-daemonsets',
    '--timeout=60s',
  )
  await node.kubectl('uncordon', 'node1')
}

/** Replaces the Pod of a vcluster. The copies of plugins are neither written nor deleted, and follow afterwards. */
export async function staysEqual(
  t: Test,
  vcluster: RealVCluster,
  replace: () => Promise<void>,
): Promise<void> {
  const [before, pod] = [await copies(vcluster), (await vcluster.pod()).metadata.uid]
  t.not(before.length, 0)
  await replace()
  await until(async () => (await vcluster.pod()).metadata.uid !== pod)
  await vcluster.ready()
  await eventually(() => vcluster.apply(configMap('last', pod)))
  await until(
    async () => (await vcluster.host('configmap', `last-x-default-x-${vcluster.name}`)).data.text === pod,
  )
  t.strictSame(await copies(vcluster), before)
}

/** The copies that plugins write, with their revisions. */
async function copies(vcluster: RealVCluster): Promise<string[]> {
  const kinds = 'configmaps,cars,certificates.cert-manager.io'
  const { items } = await vcluster.host(kinds)
  return items
    .filter(({ metadata }: Loose) => /^(?!last-x-).*-x-default-x-/.test(metadata.name))
    .map(({ kind, metadata }: Loose) =>
      [kind, metadata.name, metadata.uid, metadata.resourceVersion].join(' '),
    )
    .sort()
}
