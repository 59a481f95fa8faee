import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuMsWithEnded as cpuMs, peakMiB, residentMiB } from '../../cli/bench/process-usage.js'
import { isNotFound } from '../../sdk/engine/kube/error.js'
import type { CorpusChart } from '../../test/helm/corpus-charts.js'
import { serveDefinitions } from '../../testing/operator/serve-definitions.js'
import { type BenchCluster, namespace, withCluster } from './cluster.js'
import { withEndedJobs } from './ended-jobs.js'
import { benchDefinition, benchReleases } from './program/kind.js'

/** The cost of one release of a chart. */
export interface ChartFigures {
  readonly installCpu: number
  readonly installSeconds: number
  readonly upgradeCpu: number
  readonly upgradeSeconds: number
  /** A minute without changes, in which the release is compared every ten seconds. */
  readonly idleCpu: number
  readonly restMiB: number
  readonly peakMiB: number
}

const key = { namespace, name: 'bench' }
const idleSeconds = 60
/** After a revision, watches and the garbage collector bring their last news. */
const settleSeconds = 5

/** Measures an operator with one release of a chart. */
export function measureChart(
  [program = '', ...args]: readonly string[],
  { archive, values = {}, change }: CorpusChart,
  env: Readonly<Record<string, string>> = {},
): Promise<ChartFigures> {
  return withCluster({ controllerManager: true }, (bench) =>
    withEndedJobs(bench.client, async () => {
      const { client, cluster } = bench
      await serveDefinitions(client, [benchDefinition])
      const child = spawn(program, args, {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: {
          ...process.env,
          ...env,
          KUBECONFIG: cluster.kubeconfigFile,
          METRICS_ADDRESS: '0',
          CHART: archive,
        },
      })
      try {
        const step = stepsOf(child, bench)
        // The operator has started when its first look at an object without a problem is over.
        await sleep(settleSeconds * 1000)
        const installed = await step(1, () => client.create(benchReleases, { metadata: key, spec: values }))
        const upgraded = await step(2, () =>
          client.patch(benchReleases, key, { type: 'merge', body: { spec: change } }),
        )
        const pid = child.pid ?? 0
        const before = cpuMs(pid)
        await sleep(idleSeconds * 1000)
        return {
          installCpu: installed.cpu,
          installSeconds: installed.seconds,
          upgradeCpu: upgraded.cpu,
          upgradeSeconds: upgraded.seconds,
          idleCpu: (cpuMs(pid) - before) / 1000,
          restMiB: residentMiB(pid),
          peakMiB: peakMiB(pid),
        }
      } finally {
        child.kill('SIGTERM')
        if (child.exitCode === null) await once(child, 'exit')
      }
    }),
  )
}

/**
 * Makes the function that measures one revision: from a change until it is deployed, and the CPU time also of a moment
 * after it.
 */
function stepsOf({ pid = 0 }: ChildProcess, { client }: BenchCluster) {
  return async (revision: number, change: () => Promise<unknown>) => {
    const [before, startedMs] = [cpuMs(pid), performance.now()]
    await change()
    while ((await deployedRevision(client)) !== revision) await sleep(100)
    const seconds = (performance.now() - startedMs) / 1000
    await sleep(settleSeconds * 1000)
    return { cpu: (cpuMs(pid) - before) / 1000, seconds }
  }
}

async function deployedRevision(client: BenchCluster['client']): Promise<number | undefined> {
  const object = await client.get(benchReleases, key).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
    return undefined
  })
  return object?.status?.deployedRelease?.revision
}
