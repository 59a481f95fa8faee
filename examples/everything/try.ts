// Runs this plugin inside a simulated vcluster on two embedded clusters until Ctrl-C.
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { customResourceDefinitions } from 'vcluster-plugin-sdk'
import { startEmbeddedVCluster } from 'vcluster-plugin-sdk/testing'
import { carDefinition } from '../crd-sync/car-definition.js'

const { vcluster, hostServer, stop } = await startEmbeddedVCluster({
  programs: [fileURLToPath(new URL('main.ts', import.meta.url))],
  config: { everything: { answer: 'definitelynotstuff' } },
  env: process.env,
  before: ({ host }) => host.create(customResourceDefinitions, carDefinition),
})
const file = '.vcluster-plugin/host.kubeconfig'
await mkdir('.vcluster-plugin', { recursive: true })
await writeFile(file, await hostServer.kubeconfig(), { mode: 0o600 })
console.log(`virtual cluster: ${vcluster.url}, host cluster: kubeconfig ${file}`)
process.once('SIGINT', () => void stop())
