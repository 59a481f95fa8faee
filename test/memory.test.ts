import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Client } from '../sdk/engine/client/client.js'
import { configMaps } from '../sdk/engine/kube/builtin.js'
import { type PluginProcess, startPlugin } from './plugin-process.js'
import { type TwoClusters, twoClusters } from './two-clusters.js'

// A process with a small heap collects garbage often, and takes longer on busy machines.
t.setTimeout(600_000)

const objects = 300
const text = 'x'.repeat(100 * 1024)

/** Creates the ConfigMaps `large-<from>` to `large-<to - 1>`, 100 KiB each. */
async function create(client: Client, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at++) {
    await client.create(configMaps, {
      metadata: { namespace: 'default', name: `large-${at}` },
      data: { text },
    } as object as Parameters<Client['create']>[1])
    // The server is in this process and needs time to serve its watches.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function remove(client: Client, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at++)
    await client.delete(configMaps, { namespace: 'default', name: `large-${at}` })
}

/** The example with a heap of 64 MiB, which is too small for all objects. */
function startSmall(t: Test, clusters: TwoClusters): PluginProcess {
  const folder = mkdtempSync(join(tmpdir(), 'memory-'))
  const files = clusters.files(folder)
  const plugin = startPlugin('test/unelected-program.ts', {
    VIRTUAL_KUBECONFIG: files.virtual,
    HOST_KUBECONFIG: files.host,
    VCLUSTER_NAME: 'vc',
    TARGET_NAMESPACE: 'vcluster-vc',
    NODE_OPTIONS: '--max-old-space-size=64',
  })
  t.teardown(async () => {
    await plugin.end('SIGKILL')
    rmSync(folder, { recursive: true })
  })
  return plugin
}

async function readiness(plugin: PluginProcess): Promise<string> {
  const { url } = JSON.parse(await plugin.line('health and metrics are served')) as { url: string }
  return (await fetch(`${url}/readyz`)).text()
}

/** Repeats the request until the response is as expected; the test's own limit ends it. */
async function until<T>(ask: () => Promise<T>, isRight: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (isRight(answer)) return answer
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

const copies = async (host: Client) =>
  (await host.list(configMaps, { namespace: 'vcluster-vc' })).items.filter(({ metadata }) =>
    metadata.name?.startsWith('large-'),
  ).length

const untilCopies = (host: Client, count: number) =>
  until(
    () => copies(host),
    (found) => found === count,
  )

const untilReadiness = (plugin: PluginProcess, isRight: (text: string) => boolean) =>
  until(() => readiness(plugin), isRight)

const reason =
  /\[-\]memory failed: left out \d+ objects of configmaps in the virtual cluster \(\d+ are held\),.* because the process holds \d+ MiB of at most 64 MiB: raise the container's memory limit and --max-old-space-size/

void t.test(
  'a list that is larger than memory does not crash the process, and is completed when there is memory',
  async (t) => {
    const clusters = await twoClusters(t)
    await create(clusters.virtual, 0, objects)
    const plugin = startSmall(t, clusters)
    await plugin.line('no more are taken')
    t.match(await untilReadiness(plugin, (text) => reason.test(text)), /\[-\]started failed/)
    t.equal(await copies(clusters.host), 0, 'an incomplete list is not acted on')
    await remove(clusters.virtual, 20, objects)
    await plugin.line('memory holds every object of configmaps again')
    await untilCopies(clusters.host, 20)
    t.match(await untilReadiness(plugin, (text) => text.includes('[+]started ok')), /\[\+\]memory ok/)
    t.equal(plugin.child.exitCode, null)
  },
)

void t.test('objects from a watch that exceed the memory do not crash the process', async (t) => {
  const clusters = await twoClusters(t)
  const plugin = startSmall(t, clusters)
  await plugin.line('the plugin is running')
  await create(clusters.virtual, 0, objects)
  await plugin.line('no more are taken')
  t.match(await untilReadiness(plugin, (text) => reason.test(text)), /\[\+\]started ok/)
  t.ok((await copies(clusters.host)) < objects)
  await remove(clusters.virtual, 20, objects)
  await untilCopies(clusters.host, 20)
  t.match(await untilReadiness(plugin, (text) => text.includes('[+]memory ok')), /healthy/)
  t.equal(plugin.child.exitCode, null)
})
