// Measures the cost of 10,000 small writes to a real API server by undici, `node:http2` and the SDK's own HTTP/2, in
// turns: `npm run bench:clients -- [WRITES] [ROUNDS]`. Only ratios of one run count. Needs KUBEBUILDER_ASSETS.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { missingAssets, startRealCluster } from '../test/real/real-cluster.js'

const [, , writes = '10000', rounds = '3'] = process.argv
const clients = ['undici', 'node', 'own'] as const
const missing = missingAssets()
if (missing) throw new Error(missing)

interface TimeTaken {
  cpuMs: number
  ms: number
}

const cluster = await startRealCluster()
const least = new Map<string, TimeTaken>()
try {
  for (let round = 0; round < Number(rounds); round++) {
    for (const client of clients) await measure(client, `${client}-${round}`)
  }
} finally {
  await cluster.stop()
}

const base = least.get('undici')?.cpuMs ?? Number.NaN
console.log(`\nleast of ${rounds}, for ${writes} writes`)
console.log(`${'client'.padEnd(10)}${'CPU ms'.padStart(9)}${'of undici'.padStart(11)}${'ms'.padStart(9)}`)
for (const [client, { cpuMs, ms }] of least) {
  const ratio = (cpuMs / base).toFixed(2)
  console.log(
    `${client.padEnd(10)}${cpuMs.toFixed(0).padStart(9)}${ratio.padStart(11)}${ms.toFixed(0).padStart(9)}`,
  )
}

async function measure(client: string, prefix: string): Promise<void> {
  const script = 'bench/http2-writer.ts'
  const args = [...process.execArgv, script, client, cluster.kubeconfigFile, writes, prefix]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const taken = JSON.parse(stdout) as TimeTaken
  console.log(
    `${prefix.padEnd(12)}${taken.cpuMs.toFixed(0).padStart(6)} ms of CPU, ${taken.ms.toFixed(0)} ms`,
  )
  const known = least.get(client)
  if (known === undefined || taken.cpuMs < known.cpuMs) least.set(client, taken)
}
