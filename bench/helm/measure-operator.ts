import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'yaml'
import { cpuMs, peakMiB, residentMiB } from '../../cli/bench/process-usage.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import { watchResource } from '../../sdk/engine/watch/watch-resource.js'
import { serveDefinitions } from '../../testing/operator/serve-definitions.js'
import { type BenchCluster, namespace, withCluster } from './cluster.js'
import type { Figures } from './figures.js'

type Memcached = KubeObject & { spec: object; status?: { deployedRelease?: object } }
const memcacheds: Resource<Memcached> = {
  group: 'cache.my.domain',
  version: 'v1',
  kind: 'Memcached',
  plural: 'memcacheds',
  namespaced: true,
}
const definition = 'examples/memcached-helm/crds/memcacheds.yaml'

/**
 * Measures the operator of examples/memcached-helm: a release for each of so many objects, and then a time without
 * changes.
 */
export function measureOperator(
  command: readonly string[],
  { releases, seconds }: { releases: number; seconds: number },
): Promise<Figures> {
  return withCluster({}, async (bench) => {
    await serveDefinitions(bench.client, [parse(readFileSync(definition, 'utf8'))])
    const startSeconds = await measureStart(command, bench)
    for (let index = 0; index < releases; index++)
      await bench.client.create(memcacheds, {
        metadata: { namespace, name: `cache-${index}` },
        spec: { size: 2 },
      })
    const writes = await bench.countWrites()
    const startedMs = performance.now()
    const program = start(command, bench)
    try {
      await Promise.race([untilDeployed(bench, releases), failed(program)])
      const cold = {
        seconds: (performance.now() - startedMs) / 1000,
        cpuSeconds: cpuMs(program.pid ?? 0) / 1000,
      }
      await sleep(3_000)
      const coldWrites = await writes()
      return { startSeconds, ...cold, writes: coldWrites, ...(await idle(program, bench, seconds)) }
    } finally {
      await end(program)
    }
  })
}

/** From the start of the process until the release of a first object is deployed; the object is deleted again. */
async function measureStart(command: readonly string[], bench: BenchCluster): Promise<number> {
  const key = { namespace, name: 'first' }
  await bench.client.create(memcacheds, { metadata: key, spec: { size: 2 } })
  const startedMs = performance.now()
  const program = start(command, bench)
  await Promise.race([untilDeployed(bench, 1), failed(program)])
  const seconds = (performance.now() - startedMs) / 1000
  await bench.client.delete(memcacheds, key)
  while ((await bench.client.list(memcacheds)).items.length > 0) await sleep(100)
  await end(program)
  return seconds
}

/** Every release is compared again once in each period of a minute. */
async function idle(program: ChildProcess, bench: BenchCluster, seconds: number) {
  const pid = program.pid ?? 0
  const writes = await bench.countWrites()
  const before = cpuMs(pid)
  await sleep(seconds * 1000)
  const idleCpuSeconds = (cpuMs(pid) - before) / 1000
  return { idleWrites: await writes(), idleCpuSeconds, restMiB: residentMiB(pid), peakMiB: peakMiB(pid) }
}

function start([program = '', ...args]: readonly string[], { cluster }: BenchCluster): ChildProcess {
  const env = { ...process.env, KUBECONFIG: cluster.kubeconfigFile, METRICS_ADDRESS: '0' }
  return spawn(program, args, { stdio: 'ignore', env })
}

async function failed(program: ChildProcess): Promise<never> {
  const [code] = await once(program, 'exit')
  throw new Error(`the operator ended with ${code}`)
}

async function end(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return
  const ended = once(program, 'exit')
  program.kill('SIGTERM')
  await ended
}

/** Resolves when so many objects have a deployed release. */
function untilDeployed({ transport }: BenchCluster, count: number): Promise<void> {
  const deployed = new Set<string>()
  return new Promise((resolve) => {
    const seen = watchResource<Memcached>({ transport, resource: memcacheds }).subscribe((event) => {
      if (!('object' in event) || !event.object.status?.deployedRelease) return
      deployed.add(event.object.metadata.name ?? '')
      if (deployed.size < count) return
      seen.unsubscribe()
      resolve()
    })
  })
}
