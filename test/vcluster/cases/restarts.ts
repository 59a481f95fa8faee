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
    '--timeout=300s',
  )
  await node.kubectl('uncordon', 'node1')
}

/** The kinds that plugins of a vcluster copy. */
export interface Copied {
  /** As an argument of kubectl. */
  kinds: string
  /** An object of one of them. */
  original(name: string): Loose
}

/** The kinds of the plugins that run as sidecars. */
export const bySidecars: Copied = {
  kinds: 'configmaps,cars,certificates.cert-manager.io',
  original: (name) => configMap(name, name),
}

/** Replaces the Pod of a vcluster. The copies of plugins are neither written nor deleted, and follow afterwards. */
export async function staysEqual(
  t: Test,
  vcluster: RealVCluster,
  replace: () => Promise<unknown>,
  copied = bySidecars,
): Promise<void> {
  const [before, pod] = [await copies(vcluster, copied), (await vcluster.pod()).metadata.uid]
  t.not(before.length, 0)
  await replace()
  await isUnchanged(t, vcluster, { copies: before, pod, copied })
}

/** The state of a vcluster before its Pod was replaced. */
interface Former {
  /** See {@link copies}. */
  copies: readonly string[]
  /** The UID of its Pod. */
  pod: string
  copied: Copied
}

/** Waits for the next Pod of a vcluster, and until its plugins copy a new object. The copies are as before. */
export async function isUnchanged(
  t: Test,
  vcluster: RealVCluster,
  { copies: before, pod, copied }: Former,
): Promise<void> {
  await until(async () => (await vcluster.pod()).metadata.uid !== pod)
  await vcluster.ready()
  const original = copied.original(`last-${pod.slice(0, 8)}`)
  await eventually(() => vcluster.apply(original))
  const copy = `${original.metadata.name}-x-default-x-${vcluster.name}`
  await eventually(() => vcluster.host(original.kind, copy))
  t.strictSame(await copies(vcluster, copied), before)
}

/** The copies that plugins write, with their revisions. */
export async function copies(vcluster: RealVCluster, { kinds }: Copied): Promise<string[]> {
  const { items } = await vcluster.host(kinds)
  return items
    .filter(({ metadata }: Loose) => /^(?!last-).*-x-default-x-/.test(metadata.name))
    .map(({ kind, metadata }: Loose) =>
      [kind, metadata.name, metadata.uid, metadata.resourceVersion].join(' '),
    )
    .sort()
}
