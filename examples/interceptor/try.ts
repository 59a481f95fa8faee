// Runs this plugin inside a simulated vcluster on two embedded clusters until Ctrl-C.
import { fileURLToPath } from 'node:url'
import { startEmbeddedVCluster } from 'vcluster-plugin-sdk/testing'

const programs = [fileURLToPath(new URL('main.ts', import.meta.url))]
const { vcluster, stop } = await startEmbeddedVCluster({ programs, authorization: 'rbac', env: process.env })
console.log(`virtual cluster: ${vcluster.url}`)
process.once('SIGINT', () => void stop())
