/**
 * Two real clusters that can be restored from backups, and the ConfigMap example between them in this
 * process.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Test } from 'tap'
import { register } from '../examples/sync-all-configmaps/register.js'
import type { Client } from '../sdk/engine/client/client.js'
import { createClient } from '../sdk/engine/client/create-client.js'
import { createPrometheusMetrics } from '../sdk/engine/health/prometheus-metrics.js'
import { type ConfigMap, configMaps, namespaces, secrets, services } from '../sdk/engine/kube/builtin.js'
import { type LogFields, type Logger, silentLogger } from '../sdk/engine/observe/logger.js'
import { createTransport } from '../sdk/engine/transport/create-transport.js'
import type { Kubeconfig } from '../sdk/engine/transport/kubeconfig.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import type { Side } from '../sdk/vcluster/context/register-context.js'
import { hostName } from '../sdk/vcluster/naming/names.js'
import { createPluginRuntime } from '../sdk/vcluster/plugin/plugin-runtime.js'
import { testSession } from '../simulator/test-session.js'
import { type RealCluster, startRealCluster } from './real/real-cluster.js'
import { type BreakingProxy, startBreakingProxy } from './soak/breaking-proxy.js'

const target = 'vc-host'

/** One of the two clusters, and the plugin's connection to it. */
export interface RestorableCluster {
  readonly real: RealCluster
  readonly client: Client
  /** Disconnects the plugin; the returned function connects it again. */
  cutOff(): Promise<() => Promise<void>>
  /** The kubeconfig for the connection that can be cut. */
  readonly kubeconfig: Kubeconfig
}

/** Starts a cluster and a proxy in front of it; both stop with the test. */
export async function restorableCluster(t: Test): Promise<RestorableCluster> {
  const real = await startRealCluster()
  t.teardown(() => real.stop())
  const port = Number(new URL(real.url).port)
  let proxy: BreakingProxy = await startBreakingProxy(port)
  t.teardown(() => proxy.close())
  const proxyPort = proxy.port
  const kubeconfig = await loadKubeconfig({ file: real.kubeconfigFile })
  const transport = createTransport({ kubeconfig })
  t.teardown(() => transport.close())
  return {
    real,
    client: createClient({ transport }),
    kubeconfig: { ...kubeconfig, server: `https://127.0.0.1:${proxyPort}` },
    cutOff: async () => {
      await proxy.close()
      return async () => {
        proxy = await startBreakingProxy(port, proxyPort)
      }
    },
  }
}

/** Creates the objects of vcluster's chart on the host, again after the cluster was replaced. */
export async function makeTarget({ client }: RestorableCluster): Promise<void> {
  await client.create(namespaces, { metadata: { name: target } })
  await client.create(services, {
    metadata: { namespace: target, name: 'vc' },
    spec: { ports: [{ port: 443 }] },
  })
}

/** A running plugin. */
export interface RunningPlugin {
  /** Warnings about a restore since the last call. */
  warnings(): readonly string[]
  /** The number of a cluster's watches that listed again because of a restore. */
  restarts(side: Side): Promise<number>
  /** The number of complete lists of a cluster. */
  lists(side: Side): Promise<number>
  /**
   * The time since which every watch of both clusters has delivered data, in Unix milliseconds; the end of a
   * list counts.
   */
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
  const plugin = createPluginRuntime({ env: {}, logger, metrics, openSession })
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

/** The names of wrong copies, including missing and superfluous ones. */
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

/**
 * Resolves with the milliseconds until all copies are correct. Rejects after a minute with the names of the
 * wrong ones.
 */
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
 * Makes a change that each watch of the plugin must deliver, and resolves when each has delivered it while
 * open. Correct copies do not prove that: after an outage, writes reach a cluster while its watches still
 * wait.
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
    // The plugin changes its copy on the host.
    const original = { namespace: 'default', name: 'stays' }
    await virtual.client.patch(configMaps, original, { type: 'merge', body: { data: { seen } } })
    const body = { metadata: { annotations: { seen } } }
    await host.client.patch(services, { namespace: target, name: 'vc' }, { type: 'merge', body })
    await untilRight(clusters)
    while ((await plugin.heardSinceMs()) < changedMs) {
      if (Date.now() - changedMs > 60_000) throw new Error('a watch has delivered nothing for a minute')
      await pause(100)
    }
    // A list may have been answered before the change, while its watch was not open yet.
    if ((await lists()) === listsBefore) return
  }
}

/** Writes to objects that the plugin does not watch, until the cluster reaches a revision. */
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

/** The cluster's present revision. */
export async function revisionOf({ client }: RestorableCluster): Promise<number> {
  const { metadata } = await client.list(secrets, { namespace: 'default', limit: 1 })
  return Number(metadata.resourceVersion)
}
