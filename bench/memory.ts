// Finds the smallest heap in which a plugin works with a number of ConfigMaps of 4 KiB in both clusters: `npm
// run bench:memory`.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '../sdk/engine/client/client.js'
import { createClient } from '../sdk/engine/client/create-client.js'
import { configMaps } from '../sdk/engine/kube/builtin.js'
import { prepareHost } from '../simulator/prepare-host.js'
import { type PluginProcess, startPlugin } from '../test/plugin-process.js'
import { createApiServer, inProcessTransport } from '../testing/index.js'

const targetNamespace = 'vcluster-vc'
const counts = process.argv.slice(2).map(Number)
const text = 'x'.repeat(4096)
const stepMiB = 16
const roomyMiB = 4096
/** Bounds of the search: MiB for the program, and per thousand objects with their copies. */
const guess = { baseMiB: 48, leastPerThousand: 10, mostPerThousand: 24 }

for (const count of counts.length > 0 ? counts : [10_000, 30_000]) {
  console.log(`${count} objects and their copies: ${await smallestHeapMiB(count)} MiB of old space`)
}
process.exit(0)

/**
 * Fills both clusters by a plugin with a large heap, then finds the minimum by binary search with plugins
 * that list all objects.
 */
async function smallestHeapMiB(count: number): Promise<number> {
  const clusters = await filledClusters(count)
  if (!(await works(clusters, roomyMiB)))
    throw new Error(`the plugin does not work with ${roomyMiB} MiB either`)
  let low = Math.floor((guess.baseMiB + (guess.leastPerThousand * count) / 1000) / stepMiB)
  let high = Math.ceil((guess.baseMiB + (guess.mostPerThousand * count) / 1000) / stepMiB)
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (await works(clusters, middle * stepMiB)) high = middle
    else low = middle + 1
  }
  await rm(clusters.folder, { recursive: true })
  return high * stepMiB
}

interface Clusters {
  virtual: Client
  host: Client
  folder: string
  count: number
}

async function filledClusters(count: number): Promise<Clusters> {
  const folder = await mkdtemp(join(tmpdir(), 'memory-'))
  const [virtual, host] = [await cluster('virtual', folder), await cluster('host', folder)]
  await prepareHost(host, { vclusterName: 'vc', targetNamespace, hasService: true })
  for (let at = 0; at < count; at++) await virtual.create(configMaps, object(at, text))
  return { virtual, host, folder, count }
}

async function cluster(name: string, folder: string): Promise<Client> {
  const server = await createApiServer({ name })
  await server.listen()
  await writeFile(join(folder, name), await server.kubeconfig(), { mode: 0o600 })
  return createClient({ transport: inProcessTransport(server) })
}

function object(at: number, value: string) {
  return { metadata: { namespace: 'default', name: `object-${at}` }, data: { text: value } }
}

/**
 * Whether a plugin with this heap lists all objects and then still works: the new text of the last object
 * arrives.
 */
async function works({ virtual, host, folder, count }: Clusters, heapMiB: number): Promise<boolean> {
  const plugin = startPlugin('examples/sync-all-configmaps/main.ts', {
    VIRTUAL_KUBECONFIG: join(folder, 'virtual'),
    HOST_KUBECONFIG: join(folder, 'host'),
    VCLUSTER_NAME: 'vc',
    TARGET_NAMESPACE: targetNamespace,
    NODE_OPTIONS: `--max-old-space-size=${heapMiB}`,
  })
  const marked = `${heapMiB}${text}`
  const isShort = plugin.line('no more are taken').then(
    () => true,
    () => true,
  )
  const short = await Promise.race([isShort, worked(plugin, { virtual, host, count, marked })])
  await plugin.end()
  console.log(`  ${heapMiB} MiB: ${short ? 'too small' : 'enough'}`)
  return !short
}

interface Work {
  virtual: Client
  host: Client
  count: number
  marked: string
}

/** Resolves with false when every object has a copy, and the last one is changed. */
async function worked(plugin: PluginProcess, { virtual, host, count, marked }: Work): Promise<false> {
  await plugin.line('the plugin is running')
  const name = `object-${count - 1}`
  const copy = { namespace: targetNamespace, name: `${name}-x-default-x-vc` }
  await virtual.patch(
    configMaps,
    { namespace: 'default', name },
    {
      type: 'merge',
      body: { data: { text: marked } },
    },
  )
  for (;;) {
    const found = await host.get(configMaps, copy).catch(() => undefined)
    const { items } = await host.list(configMaps, { namespace: targetNamespace })
    if (found?.data?.text === marked && items.length >= count) return false
    if (plugin.child.exitCode !== null || plugin.child.signalCode !== null) return new Promise(() => {})
    await new Promise((resolve) => setTimeout(resolve, 2000))
  }
}
