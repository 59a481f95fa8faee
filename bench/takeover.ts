// Measures the time of a standby from winning the Lease to serving keys, with full stores and without: `npm
// run bench:takeover`.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '../sdk/engine/client/create-client.js'
import { configMaps } from '../sdk/engine/kube/builtin.js'
import { prepareHost } from '../simulator/prepare-host.js'
import { type PluginProcess, startPlugin } from '../test/plugin-process.js'
import { createApiServer, inProcessTransport } from '../testing/index.js'

const objects = 5000
const targetNamespace = 'vcluster-vc'

const folder = await mkdtemp(join(tmpdir(), 'takeover-'))
const virtualServer = await createApiServer({ name: 'virtual' })
const hostServer = await createApiServer({ name: 'host' })
await Promise.all([virtualServer.listen(), hostServer.listen()])
const virtual = createClient({ transport: inProcessTransport(virtualServer) })
const host = createClient({ transport: inProcessTransport(hostServer) })
await prepareHost(host, { vclusterName: 'vc', targetNamespace, hasService: true })
for (let i = 0; i < objects; i++)
  await virtual.create(configMaps, {
    metadata: { namespace: 'default', name: `cm-${i}` },
    data: { i: `${i}` },
  })

const env = {
  VIRTUAL_KUBECONFIG: join(folder, 'virtual'),
  HOST_KUBECONFIG: join(folder, 'host'),
  VCLUSTER_NAME: 'vc',
  TARGET_NAMESPACE: targetNamespace,
}
await writeFile(env.VIRTUAL_KUBECONFIG, await virtualServer.kubeconfig(), { mode: 0o600 })
await writeFile(env.HOST_KUBECONFIG, await hostServer.kubeconfig(), { mode: 0o600 })
const start = (standby: string) =>
  startPlugin('examples/sync-all-configmaps/main.ts', { ...env, PLUGIN_STANDBY: standby, LOG_LEVEL: 'debug' })

let leader = start('warm')
while ((await host.listAll(configMaps, { namespace: targetNamespace })).items.length < objects)
  await new Promise((resolve) => setTimeout(resolve, 250))
for (const standby of ['warm', 'cold', 'warm', 'cold']) {
  const next = start(standby)
  await next.line('standing by')
  if (standby === 'warm') await next.line('the stores are full')
  const stopped = Date.now()
  await leader.end()
  await next.line('the plugin is running')
  const [wonAt, runsAt] = [timeOf(next, 'leadership won'), timeOf(next, 'the plugin is running')]
  console.log(`${standby}: serves ${runsAt - wonAt} ms after it won, ${runsAt - stopped} ms after the stop`)
  leader = next
}
await leader.end()
await Promise.all([virtualServer.close(), hostServer.close()])
await rm(folder, { recursive: true })
process.exit(0)

function timeOf({ lines }: PluginProcess, text: string): number {
  return JSON.parse(lines.find((line) => line.includes(text)) ?? '{}').time
}
