/**
 * Runs a plugin under changes and faults for a while: `SOAK_SECONDS=600 npm test -- test/soak/` for ten
 * minutes.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { type ApiServer, createApiServer } from '../../apiserver/api-server.js'
import type { FaultAction } from '../../apiserver/faults/fault-action.js'
import { seededRandom } from '../../apiserver/faults/seeded-random.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { type ConfigMap, configMaps, namespaces, services } from '../../sdk/engine/kube/builtin.js'
import { jsonEqual } from '../../sdk/engine/kube/json.js'
import { formatKey, keyOf } from '../../sdk/engine/kube/key.js'
import { createTransport } from '../../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../../sdk/engine/transport/load-kubeconfig.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { startPlugin } from '../plugin-process.js'
import { type RealCluster, startRealCluster } from '../real/real-cluster.js'
import { type BreakingProxy, startBreakingProxy } from './breaking-proxy.js'
import { changing, copyOf } from './load.js'

const seconds = Number(process.env.SOAK_SECONDS ?? 10)
const seed = Number(process.env.SOAK_SEED ?? Date.now() % 100_000)
/** Time limit of a soak in milliseconds: its duration, and the time for the plugin to recover. */
export const soakLimitMs = (seconds + 200) * 1000
const target = 'vc-host'
const tenants = ['default', 'team-a', 'team-b', 'team-c']

/** One of the two clusters. */
export interface SoakCluster {
  /** A transport without proxy and faults, for users and checks. */
  readonly transport: Transport
  /** The plugin's kubeconfig, through the proxy. */
  readonly kubeconfig: string
  readonly proxy: BreakingProxy
  /** The faults in the server itself. */
  readonly faults?: ApiServer['faults']
}

/** An embedded API server behind a proxy. */
export async function embedded(t: Test): Promise<SoakCluster> {
  const server = await createApiServer()
  t.teardown(() => server.close())
  const proxy = await proxyTo(t, await server.listen())
  const kubeconfig = throughProxy(await server.kubeconfig({ user: 'plugin' }), proxy)
  return { transport: inProcessTransport(server), kubeconfig, proxy, faults: server.faults }
}

/** A real API server behind a proxy. */
export async function real(t: Test): Promise<SoakCluster> {
  const cluster: RealCluster = await startRealCluster()
  t.teardown(() => cluster.stop())
  const proxy = await proxyTo(t, cluster.url)
  const transport = createTransport({ kubeconfig: await loadKubeconfig({ file: cluster.kubeconfigFile }) })
  t.teardown(() => transport.close())
  return { transport, kubeconfig: throughProxy(cluster.kubeconfig, proxy), proxy }
}

async function proxyTo(t: Test, url: string): Promise<BreakingProxy> {
  const proxy = await startBreakingProxy(Number(new URL(url).port))
  t.teardown(() => proxy.close())
  return proxy
}

const throughProxy = (kubeconfig: string, { port }: BreakingProxy) =>
  kubeconfig.replaceAll(/https:\/\/127\.0\.0\.1:\d+/g, `https://127.0.0.1:${port}`)

/**
 * The faults of an API server for its clients. Leases are exempt, because a plugin that loses its Lease
 * exits.
 */
const faults: readonly (readonly [share: number, verbs: RegExp, action: FaultAction])[] = [
  [0.02, /./, { type: 'status', code: 500 }],
  [0.01, /./, { type: 'status', code: 503, retryAfterSeconds: 1 }],
  [0.003, /./, { type: 'status', code: 429, retryAfterSeconds: 1 }],
  [0.005, /list/, { type: 'status', code: 410 }],
  [0.02, /create|update|patch|delete/, { type: 'reset', when: 'after' }],
  [0.02, /./, { type: 'reset', when: 'before' }],
  [0.1, /watch/, { type: 'resetWatch', afterEvents: 20 }],
  [0.2, /watch/, { type: 'duplicateEvents' }],
  [0.2, /watch/, { type: 'delayEvents', delayMs: 300 }],
  [0.2, /watch/, { type: 'coalesceEvents', windowMs: 200 }],
  [0.05, /get|create|update/, { type: 'delay', delayMs: 400 }],
]

/** Injects faults until the returned function is called. */
function disturbing(clusters: readonly SoakCluster[]): () => void {
  const random = seededRandom(seed)
  for (const [index, cluster] of clusters.entries()) {
    const match = { user: 'plugin', resource: /^(?!leases$)./ }
    for (const [probability, verb, action] of faults) {
      cluster.faults?.add({ ...match, verb }, action, { probability, seed: seed + index })
    }
  }
  const timer = setInterval(() => {
    for (const { proxy } of clusters) {
      if (random() < 0.3) proxy.reset(() => random() < 0.3)
      if (random() < 0.1) proxy.stall(random() * 1500)
    }
  }, 1000)
  return () => {
    clearInterval(timer)
    for (const cluster of clusters) cluster.faults?.clear()
  }
}

/** The wrong copies, one line each; empty if every object has its copy and there are no others. */
async function wrongCopies({ virtual, host }: Record<'virtual' | 'host', Transport>): Promise<string[]> {
  const originals = (await createClient({ transport: virtual }).listAll(configMaps)).items
  const listed = (await createClient({ transport: host }).listAll(configMaps, { namespace: target })).items
  const copies = new Map(
    listed
      .filter(({ metadata }) => metadata.labels?.['vcluster.loft.sh/managed-by'] === 'vc')
      .map((copy) => [formatKey(keyOf(copy)), copy]),
  )
  const wrong = originals.flatMap((original) => {
    const key = formatKey(copyOf(keyOf(original), target))
    const copy = copies.get(key)
    copies.delete(key)
    if (!copy) return [`${key} is missing`]
    return isCopy(copy, original) ? [] : [`${key} differs`]
  })
  return [...wrong, ...[...copies.keys()].map((key) => `${key} is superfluous`)]
}

const isCopy = (copy: ConfigMap, { data, metadata }: ConfigMap) =>
  jsonEqual(copy.data, data) && copy.metadata.annotations?.['vcluster.loft.sh/object-uid'] === metadata.uid

/** The resources that the plugin's process holds. */
interface Holdings {
  readonly heapBytes: number
  readonly handles: number
  readonly timers: number
}

async function holdings(url: string): Promise<Holdings> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const value = (name: string) => Number(text.match(new RegExp(`^${name} (\\S+)$`, 'm'))?.[1] ?? 0)
  return {
    heapBytes: value('nodejs_heap_size_used_bytes'),
    handles: value('nodejs_active_handles_total'),
    timers: value('nodejs_active_resources\\{type="Timeout"\\}'),
  }
}

/** Repeats the check for as long as the plugin may take to recover: a quarantined key waits a minute. */
async function until(holds: () => Promise<boolean>): Promise<boolean> {
  for (const endMs = performance.now() + 150_000; performance.now() < endMs; ) {
    if (await holds()) return true
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  return false
}

/** Runs users and faults on two clusters with a plugin between them, and checks the final state. */
export async function soak(t: Test, clusters: Record<'virtual' | 'host', SoakCluster>): Promise<void> {
  t.comment(`${seconds} s, seed ${seed}`)
  const [virtual, host] = [clusters.virtual, clusters.host].map(({ transport }) =>
    createClient({ transport }),
  )
  if (!virtual || !host) throw new Error('there are two clusters')
  for (const name of tenants.slice(1)) await virtual.create(namespaces, { metadata: { name } })
  await host.create(namespaces, { metadata: { name: target } })
  const service = { metadata: { namespace: target, name: 'vc' }, spec: { ports: [{ port: 443 }] } }
  await host.create(services, service)
  const folder = await mkdtemp(join(tmpdir(), 'soak-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const file = async (side: 'virtual' | 'host') => {
    const path = join(folder, side)
    await writeFile(path, clusters[side].kubeconfig, { mode: 0o600 })
    return path
  }
  const plugin = startPlugin('examples/sync-all-configmaps/main.ts', {
    VIRTUAL_KUBECONFIG: await file('virtual'),
    HOST_KUBECONFIG: await file('host'),
    VCLUSTER_NAME: 'vc',
    TARGET_NAMESPACE: target,
    METRICS_ADDRESS: '127.0.0.1:0',
    LOG_LEVEL: 'info',
  })
  t.teardown(() => plugin.end('SIGKILL'))
  const { url } = JSON.parse(await plugin.line('health and metrics')) as { url: string }
  await plugin.line('the plugin is running')

  const before = await holdings(url)
  const stop = changing({ virtual, host, namespaces: tenants, target, perSecond: 100, seed })
  const calm = disturbing([clusters.virtual, clusters.host])
  const seen: Holdings[] = []
  for (let slice = 0; slice < 10; slice++) {
    await new Promise((resolve) => setTimeout(resolve, seconds * 100))
    // The last lines of a process that has exited name the reason.
    if (plugin.child.exitCode !== null) throw new Error(plugin.lines.slice(-5).join('\n'))
    seen.push(await holdings(url))
  }
  const changes = await stop()
  calm()
  const transports = { virtual: clusters.virtual.transport, host: clusters.host.transport }
  const isRight = async () => (await wrongCopies(transports)).length === 0
  await until(isRight)
  t.same(await wrongCopies(transports), [], `after ${changes} changes every object has its copy`)
  t.equal(plugin.child.exitCode, null, 'the plugin is running')
  t.ok(changes > 100, `${changes} changes were made`)
  const leastHeap = (part: readonly Holdings[]) =>
    Math.min(...part.map(({ heapBytes }) => heapBytes)) / 2 ** 20
  const [early, late] = [leastHeap(seen.slice(3, 6)), leastHeap(seen.slice(7))]
  t.comment(`heap of ${early.toFixed()} MiB in the middle, ${late.toFixed()} MiB at the end`)
  if (seconds >= 60) t.ok(late < 1.5 * early + 10, 'the heap does not grow')
  // Keys that failed last wait for their retries; after that nothing of the failures is left.
  const isAtRest = async () => {
    const { handles, timers } = await holdings(url)
    return handles <= before.handles + 10 && timers <= before.timers + 10
  }
  t.ok(await until(isAtRest), 'no handle and no timer is left')
}
