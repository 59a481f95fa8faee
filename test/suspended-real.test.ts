// Tests that a process which is suspended in the middle of its writes sends none of them when it continues.
import t, { type Test } from 'tap'
import { configMaps, namespaces } from '../sdk/engine/kube/builtin.js'
import { openCluster } from './live-cluster.js'
import { type PluginProcess, startPlugin } from './plugin-process.js'
import { missingAssets, startRealCluster } from './real/real-cluster.js'
import { requestCounts, writesInProgress } from './real/request-counts.js'
import { until } from './until.js'

const skip = missingAssets()
const target = 'vc-host'
const stops = Number(process.env.SUSPENDED_STOPS ?? 1)
const written = /^(?:POST|PUT|PATCH|APPLY|DELETE) (?:configmaps|leases)$/

async function openClusters(t: Test) {
  const servers = [await startRealCluster(), await startRealCluster()] as const
  t.teardown(() => Promise.all(servers.map((server) => server.stop())))
  const [virtual, host] = await Promise.all(servers.map(({ kubeconfigFile }) => openCluster(kubeconfigFile)))
  if (!virtual || !host) throw new Error('both clusters are open')
  t.teardown(() => Promise.all([virtual.close(), host.close()]))
  await host.client.create(namespaces, { metadata: { name: target } })
  const env = {
    VIRTUAL_KUBECONFIG: servers[0].kubeconfigFile,
    HOST_KUBECONFIG: servers[1].kubeconfigFile,
    VCLUSTER_NAME: 'vc',
    TARGET_NAMESPACE: target,
  }
  return { virtual, host, env }
}

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, count) => all + count, 0)

void t.test(
  'a process that is suspended in the middle of its writes sends none of them when it continues',
  { skip, timeout: 120_000 + stops * 60_000 },
  async (t) => {
    const { virtual, host, env } = await openClusters(t)
    const plugins: PluginProcess[] = []
    t.teardown(() => Promise.all(plugins.map((plugin) => plugin.end('SIGKILL'))))
    const start = () => {
      const plugin = startPlugin('examples/sync-all-configmaps/main.ts', env)
      plugins.push(plugin)
      return plugin
    }
    const writes = async () => {
      const counts = await requestCounts(host.transport)
      return Object.fromEntries([...counts].filter(([id]) => written.test(id)))
    }
    /** Edits objects until told to end, so that the plugin is busy. */
    const flood = (isOver: () => boolean) =>
      Promise.all(
        Array.from({ length: 16 }, async (_, at) => {
          const metadata = { namespace: 'default', name: `cm-${at}` }
          for (let i = 0; !isOver(); i++) {
            const object = {
              metadata: { ...metadata, name: `${metadata.name}-${i % 20}` },
              data: { text: `${i}` },
            }
            const patch = { type: 'apply', body: { apiVersion: 'v1', kind: 'ConfigMap', ...object } } as const
            await virtual.client.patch(configMaps, object.metadata, {
              ...patch,
              fieldManager: 'test',
              force: true,
            })
          }
        }),
      )

    for (let stop = 0; stop < stops; stop++) {
      const leader = start()
      await leader.line('the plugin is running')
      const next = start()
      await next.line('standing by')
      let isOver = false
      const flooding = flood(() => isOver)
      const begun = sum(await writes())
      await until(async () => sum(await writes()) >= begun + 300)
      leader.child.kill('SIGSTOP')
      isOver = true
      await flooding
      await next.line('the plugin is running')
      // All writes that arrive from now on are those of the first. A busy server counts those of the next one late.
      next.child.kill('SIGSTOP')
      await until(async () => {
        const before = sum(await writes())
        await new Promise((resolve) => setTimeout(resolve, 1000))
        return before === sum(await writes()) && (await writesInProgress(host.transport)) === 0
      })
      const before = await writes()
      leader.child.kill('SIGCONT')
      await until(() => leader.child.exitCode !== null)
      t.same(await writes(), before, 'nothing was sent after the leadership deadline')
      await next.end('SIGKILL')
    }
  },
)
