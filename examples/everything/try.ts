// This plugin inside a stand-in vcluster, on two embedded clusters, until Ctrl-C.
import { writeFile } from 'node:fs/promises'
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
await writeFile('host.kubeconfig', await hostServer.kubeconfig())
console.log(`the virtual cluster is at ${vcluster.url}, the host by host.kubeconfig`)
process.once('SIGINT', () => void stop())
