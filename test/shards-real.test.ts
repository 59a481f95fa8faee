// Tests three replicas of the example, in separate processes, that share the work between two real API
// servers.
import t, { type Test } from 'tap'
import { configMaps, leases, namespaces, services } from '../sdk/engine/kube/builtin.js'
import type { Key } from '../sdk/engine/kube/key.js'
import { type LiveCluster, openCluster } from './live-cluster.js'
import { type PluginProcess, startPlugin } from './plugin-process.js'
import { missingAssets, startRealCluster } from './real/real-cluster.js'
import { writesDuring } from './real/request-counts.js'
import { until } from './until.js'

const skip = missingAssets()
const target = 'vc-host'
const shards = 6
const tenants = Array.from({ length: 12 }, (_, i) => `tenant-${i}`)
const each = 20
const originals: Key[] = tenants.flatMap((namespace) =>
  Array.from({ length: each }, (_, i) => ({ namespace, name: `cm-${i}` })),
)
const copyOf = ({ namespace, name }: Key): Key => ({ namespace: target, name: `${name}-x-${namespace}-x-vc` })

async function openClusters(t: Test) {
  const servers = [await startRealCluster(), await startRealCluster()] as const
  t.teardown(() => Promise.all(servers.map((server) => server.stop())))
  const [virtual, host] = [
    await openCluster(servers[0].kubeconfigFile),
    await openCluster(servers[1].kubeconfigFile),
  ]
  t.teardown(() => Promise.all([virtual.close(), host.close()]))
  for (const name of tenants) await virtual.client.create(namespaces, { metadata: { name } })
  await host.client.create(namespaces, { metadata: { name: target } })
  const service = { metadata: { namespace: target, name: 'vc' }, spec: { ports: [{ port: 443 }] } }
  await host.client.create(services, service)
  const env = {
    VIRTUAL_KUBECONFIG: servers[0].kubeconfigFile,
    HOST_KUBECONFIG: servers[1].kubeconfigFile,
    VCLUSTER_NAME: 'vc',
    TARGET_NAMESPACE: target,
    PLUGIN_SHARDS: String(shards),
  }
  return { virtual, host, env }
}

/** The holders of the shards, each name once per shard. */
async function holdersOf({ client }: LiveCluster): Promise<string[]> {
  const labelSelector = 'plugin.vcluster.loft.sh/lease-role=shard'
  const { items } = await client.listAll(leases, { namespace: target, labelSelector })
  return items.map(({ spec }) => spec?.holderIdentity ?? '')
}

void t.test(
  'replicas between real API servers create each copy once, and take over from a dead and a suspended one',
  { skip, timeout: 600_000 },
  async (t) => {
    const { virtual, host, env } = await openClusters(t)
    const plugins: PluginProcess[] = []
    t.teardown(() => Promise.all(plugins.map((plugin) => plugin.end('SIGKILL'))))
    /** The writes of ConfigMaps that the host's API server received during `work`. */
    const hostWrites = (atLeast: number, work: () => Promise<unknown>) =>
      writesDuring({ transport: host.transport, resource: 'configmaps', atLeast }, work)
    const copied = (text: string) =>
      host.until((store) => originals.every((key) => store.get(copyOf(key))?.data?.text === text))
    const edit = async (keys: readonly Key[], text: string) => {
      for (const key of keys)
        await virtual.client.patch(configMaps, key, { type: 'merge', body: { data: { text } } })
    }

    // Started one after the other: on a busy machine, three at a time may take longer than a Lease lasts.
    for (let replica = 0; replica < 3; replica++) {
      const plugin = startPlugin('examples/sync-all-configmaps/main.ts', env)
      plugins.push(plugin)
      await plugin.line('the plugin is running')
    }
    const [first, second, third] = plugins
    const shares = async () => {
      const holders = await holdersOf(host)
      return [...new Set(holders)].map((name) => holders.filter((holder) => holder === name).length)
    }
    await until(async () => String(await shares()) === '2,2,2')

    const made = await hostWrites(originals.length, async () => {
      for (const metadata of originals)
        await virtual.client.create(configMaps, { metadata, data: { text: 'first' } })
      await copied('first')
    })
    t.same(made, { 'POST configmaps': originals.length }, 'each copy is created once')

    const taken = await hostWrites(originals.length, async () => {
      second?.child.kill('SIGKILL')
      first?.child.kill('SIGSTOP')
      await edit(originals, 'second')
      await copied('second')
      await until(async () => String(await shares()) === '6')
    })
    t.same(taken, { 'PUT configmaps': originals.length }, 'the third writes each edit once')

    // No other replica can do the work, so the first one has work as soon as it continues.
    third?.child.kill('SIGSTOP')
    const left = originals.filter(({ name }) => name === 'cm-0')
    const late = await hostWrites(0, async () => {
      await edit(left, 'third')
      first?.child.kill('SIGCONT')
      await first?.line('leadership was lost')
    })
    t.same(late, {}, 'a process that was suspended past its Leases writes nothing')
    const rest = await hostWrites(left.length, async () => {
      third?.child.kill('SIGCONT')
      await host.until((store) => left.every((key) => store.get(copyOf(key))?.data?.text === 'third'))
      await until(async () => first?.child.exitCode !== null)
    })
    t.same(rest, { 'PUT configmaps': left.length })
    t.equal(await third?.end(), 0)
    t.same(await holdersOf(host), Array(shards).fill(''), 'a stop releases every shard')
  },
)
