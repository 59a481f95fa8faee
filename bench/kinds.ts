// Measures an idle plugin with many kinds between embedded clusters: `npm run bench:kinds`.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectionsOf, cpuMs, residentMiB } from '../cli/bench/process-usage.js'
import { createClient } from '../sdk/engine/client/create-client.js'
import { customResourceDefinitions } from '../sdk/engine/kube/builtin.js'
import { prepareHost } from '../simulator/prepare-host.js'
import { startPlugin } from '../test/plugin-process.js'
import { createApiServer, inProcessTransport } from '../testing/index.js'
import { customKinds, definitionOf } from './custom-kinds.js'
import { short } from './figures.js'

const targetNamespace = 'vcluster-vc'
const counts = [1, 50, 200]
const settleMs = 15_000
const restMs = 60_000

const folder = await mkdtemp(join(tmpdir(), 'kinds-'))
const files = { virtual: join(folder, 'virtual'), host: join(folder, 'host') }
for (const [name, file] of Object.entries(files)) {
  const server = await createApiServer({ name })
  await server.listen()
  const client = createClient({ transport: inProcessTransport(server) })
  if (name === 'host') await prepareHost(client, { vclusterName: 'vc', targetNamespace, hasService: true })
  for (const kind of customKinds(Math.max(...counts)))
    await client.create(customResourceDefinitions, definitionOf(kind))
  await writeFile(file, await server.kubeconfig(), { mode: 0o600 })
}

console.log(`kinds  ready after, s  CPU per minute idle, ms  connections  MiB`)
for (const count of counts) console.log(await atRest(count))
await rm(folder, { recursive: true })
process.exit(0)

/** Starts a plugin with `count` kinds and measures it while it is idle. */
async function atRest(count: number): Promise<string> {
  const plugin = startPlugin('bench/kinds-plugin.ts', {
    VIRTUAL_KUBECONFIG: files.virtual,
    HOST_KUBECONFIG: files.host,
    VCLUSTER_NAME: 'vc',
    TARGET_NAMESPACE: targetNamespace,
    KINDS: `${count}`,
    NODE_OPTIONS: '--max-semi-space-size=8',
  })
  const pid = plugin.child.pid ?? 0
  const startedMs = performance.now()
  await plugin.line('the plugin is running')
  const readyMs = performance.now() - startedMs
  await passes(settleMs)
  const before = cpuMs(pid)
  await passes(restMs)
  const figures = [short(readyMs / 1000), cpuMs(pid) - before, connectionsOf(pid), short(residentMiB(pid))]
  await plugin.end()
  return [`${count}`.padStart(5), ...figures].join('  ')
}

function passes(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
