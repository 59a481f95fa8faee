/** Two real clusters that can be restored from backups, and the ConfigMap example between them, in this process. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Test } from 'tap'
import { register } from '../examples/sync-all-configmaps/register.js'
import type { Client } from '../sdk/client/client.js'
import { createClient } from '../sdk/client/create-client.js'
import type { Side } from '../sdk/context/register-context.js'
import { createPrometheusMetrics } from '../sdk/health/prometheus-metrics.js'
import { type ConfigMap, configMaps, namespaces, secrets, services } from '../sdk/kube/builtin.js'
import { hostName } from '../sdk/naming/names.js'
import { type LogFields, type Logger, silentLogger } from '../sdk/observe/logger.js'
import { createPlugin } from '../sdk/plugin/plugin.js'
import { createTransport } from '../sdk/transport/create-transport.js'
import { type Kubeconfig, loadKubeconfig } from '../sdk/transport/kubeconfig.js'
import { testSession } from '../simulator/test-session.js'
import { type RealCluster, startRealCluster } from './real/real-cluster.js'
import { type BreakingProxy, startBreakingProxy } from './soak/breaking-proxy.js'

const target = 'vc-host'

/** One of the two clusters, and the way to it that the plugin takes. */
export interface RestorableCluster {
  readonly real: RealCluster
  readonly client: Client
  /** Cuts the plugin off; the function it returns lets it in again. */
  cutOff(): Promise<() => Promise<void>>
  /** The way that can be cut off. */
  readonly kubeconfig: Kubeconfig
}

/** Starts a cluster and a proxy before it; both end with the test. */
export async function restorableCluster(t: Test): Promise<RestorableCluster> {
  const real = await startRealCluster()
  t.teardown(() => real.stop())
  const port = Number(new URL(real.url).port)
  let door: BreakingProxy = await startBreakingProxy(port)
  t.teardown(() => door.close())
  const doorPort = door.port
  const kubeconfig = await loadKubeconfig({ file: real.kubeconfigFile })
  const transport = createTransport({ kubeconfig })
  t.teardown(() => transport.close())
  return {
    real,
    client: createClient({ transport }),
    kubeconfig: { ...kubeconfig, server: `https://127.0.0.1:${doorPort}` },
    cutOff: async () => {
      await door.close()
      return async () => {
        door = await startBreakingProxy(port, doorPort)
      }
    },
  }
}

/** What the chart makes on the host: anew where the cluster is another one. */
export async function makeTarget({ client }: RestorableCluster): Promise<void> {
  await client.create(namespaces, { metadata: { name: target } })
  await client.create(services, {
    metadata: { namespace: target, name: 'vc' },
    spec: { ports: [{ port: 443 }] },
  })
}

/** The plugin while it runs. */
export interface RunningPlugin {
  /** Warnings about a restore since it was last asked. */
  warnings(): readonly string[]
  /** How many watches of a cluster listed again because it was restored, so far. */
  restarts(side: Side): Promise<number>
  /** How many lists of a cluster it has read to their end. */
  lists(side: Side): Promise<number>
  /** Since when every watch of both clusters has said something, in Unix milliseconds; the end of a list counts. */
  heardSinceMs(): Promise<number>
  stop(): Promise<void>
}

/** Starts the plugin, which leads from the start; resolves when it runs. */
export async function startPlugin(clusters: Record<Side, RestorableCluster>): Promise<RunningPlugin> {
  const warned: string[] = []
  const warn = (_: LogFields, message: string) => {
    if (message.includes('was restored from a backup')) warned.push(message)
  }
  const logger: Logger = { ...silentLogger, warn, child: () => logger }
  const metrics = createPrometheusMetrics()
  const open = (side: Side) =>
    createTransport({ kubeconfig: clusters[side].kubeconfig, cluster: side, metrics })
  const openSession = async () =>
    testSession({ vclusterName: 'vc', targetNamespace: target, virtual: open('virtual'), host: open('host') })
  const plugin = createPlugin({ env: {}, logger, metrics, openSession })
  register(plugin, await plugin.init())
  const ended = plugin.start()
  await Promise.race([plugin.whenRunning(), ended])
  const count = async (name: string, labels: Record<string, string>) =>
    (await metrics.samples(name))
      .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
      .reduce((sum, { value }) => sum + value, 0)
  return {
    warnings: () => warned.splice(0),
    restarts: (cluster) => count('watch_restarts_total', { cluster, reason: 'restored' }),
    lists: (cluster) => count('watch_lists_total', { cluster }),
    heardSinceMs: async () => {
      const lastEvents = await metrics.samples('watch_last_event_timestamp_seconds')
      return Math.min(...lastEvents.map(({ value }) => Math.round(value * 1000)))
    },
    stop: () => plugin.stop(),
  }
}

/** The names of the copies that are not what they should be; those that are missing and those too many among them. */
export async function wrongCopies({ virtual, host }: Record<Side, RestorableCluster>): Promise<string[]> {
  const originals = (await virtual.client.listAll(configMaps)).items
  const inTarget = (await host.client.listAll(configMaps, { namespace: target })).items
  const copies = new Map(inTarget.map((copy) => [copy.metadata.name ?? '', copy]))
  const wrong = originals.filter((original) => {
    const name = copyName(original)
    const copy = copies.get(name)
    copies.delete(name)
    return !isCopy(copy, original)
  })
  return [...wrong.map(copyName), ...copies.keys()]
}

function isCopy(copy: ConfigMap | undefined, original: ConfigMap): boolean {
  const { uid } = original.metadata
  const isOfIt = copy?.metadata.annotations?.['vcluster.loft.sh/object-uid'] === uid
  return isOfIt && JSON.stringify(copy?.data) === JSON.stringify(original.data)
}

function copyName({ metadata: { name = '', namespace = '' } }: ConfigMap): string {
  return hostName(name, namespace, 'vc')
}

/** Resolves with the milliseconds after which every copy is right; rejects after a minute, with the names of those that are not. */
export async function untilRight(clusters: Record<Side, RestorableCluster>): Promise<number> {
  const startedMs = performance.now()
  for (;;) {
    const wrong = await wrongCopies(clusters)
    const tookMs = performance.now() - startedMs
    if (wrong.length === 0) return Math.round(tookMs)
    if (tookMs > 60_000)
      throw new Error(`${wrong.length} copies are still wrong after a minute: ${wrong.join(', ')}`)
    await pause(100)
  }
}

/**
 * Makes a change that each watch of the plugin is told of, and resolves when every one of them was told, by a watch that is
 * open. That the copies are right does not say so: writes reach a cluster again while its watches still pause after an outage.
 */
export async function untilWatching(
  clusters: Record<Side, RestorableCluster>,
  plugin: RunningPlugin,
): Promise<void> {
  const { virtual, host } = clusters
  const lists = async () => (await plugin.lists('virtual')) + (await plugin.lists('host'))
  for (;;) {
    const [listsBefore, changedMs] = [await lists(), Date.now()]
    const seen = `${Math.random()}`
    // Its copy is changed on the host, by the plugin.
    const original = { namespace: 'default', name: 'stays' }
    await virtual.client.patch(configMaps, original, { type: 'merge', body: { data: { seen } } })
    const body = { metadata: { annotations: { seen } } }
    await host.client.patch(services, { namespace: target, name: 'vc' }, { type: 'merge', body })
    await untilRight(clusters)
    while ((await plugin.heardSinceMs()) < changedMs) {
      if (Date.now() - changedMs > 60_000) throw new Error('a watch is still silent after a minute')
      await pause(100)
    }
    // A list may have been answered before the change, and its watch is not open yet.
    if ((await lists()) === listsBefore) return
  }
}

/** Writes, to objects that the plugin does not watch, until the cluster has come to a revision. */
export async function grow({ client }: RestorableCluster, revision: number): Promise<void> {
  const key = { namespace: 'default', name: 'noise' }
  await client.create(secrets, { metadata: key })
  for (let reached = 0; reached < revision; ) {
    const body = () => ({ stringData: { at: `${Math.random()}` } })
    const writes = Array.from({ length: 8 }, () =>
      client.patch(secrets, key, { type: 'merge', body: body() }),
    )
    reached = Math.max(...(await Promise.all(writes)).map(({ metadata }) => Number(metadata.resourceVersion)))
  }
  await client.delete(secrets, key)
}

/** The cluster's revision of now. */
export async function revisionOf({ client }: RestorableCluster): Promise<number> {
  const { metadata } = await client.list(secrets, { namespace: 'default', limit: 1 })
  return Number(metadata.resourceVersion)
}
