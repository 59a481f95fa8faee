/**
 * Measures the memory of operators with 1 and 17 entries, each with one release, on a real API server: `node
 * --import=tsx --conditions=vcluster-plugin-sdk:source bench/helm/entries.ts`, with HELM_ENGINE and KUBEBUILDER_ASSETS.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuMs, peakMiB, residentMiB } from '../../cli/bench/process-usage.js'
import { serveDefinitions } from '../../testing/operator/serve-definitions.js'
import { asInImage } from '../as-in-image.js'
import { namespace, withCluster } from './cluster.js'
import { entryKinds } from './program/kind.js'

const chart = process.argv[2] ?? 'examples/memcached-helm/charts/memcached'
const [program = '', ...args] = [
  ...asInImage,
  '--import=tsx',
  '--conditions=vcluster-plugin-sdk:source',
  'bench/helm/program/entries.ts',
]
const restSeconds = 90

process.stdout.write(
  '| entries | memory at rest, MiB | peak, MiB | CPU until deployed, s |\n|---|---|---|---|\n',
)
for (const count of [1, 17]) {
  const { rest, peak, cpu } = await measure(count)
  process.stdout.write(`| ${count} | ${rest.toFixed(0)} | ${peak.toFixed(0)} | ${cpu.toFixed(1)} |\n`)
}

/** The release of each kind has a name of its own. */
function keyOf({ plural }: { plural: string }) {
  return { namespace, name: plural }
}

/** After a minute without renderings the threads of the engine end. */
function measure(count: number): Promise<{ rest: number; peak: number; cpu: number }> {
  return withCluster({}, async ({ client, cluster }) => {
    const kinds = entryKinds(count)
    await serveDefinitions(
      client,
      kinds.map(({ definition }) => definition),
    )
    for (const { resource } of kinds) await client.create(resource, { metadata: keyOf(resource) })
    const child = spawn(program, args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        KUBECONFIG: cluster.kubeconfigFile,
        METRICS_ADDRESS: '0',
        CHART: chart,
        ENTRIES: String(count),
      },
    })
    const pid = child.pid ?? 0
    try {
      for (const { resource } of kinds)
        while (!(await client.get(resource, keyOf(resource))).status?.deployedRelease) await sleep(200)
      const cpu = cpuMs(pid) / 1000
      await sleep(restSeconds * 1000)
      return { rest: residentMiB(pid), peak: peakMiB(pid), cpu }
    } finally {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    }
  })
}
