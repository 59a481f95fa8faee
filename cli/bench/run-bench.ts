/**
 * `vcluster-plugin bench`: measures how long a plugin takes for many objects at once, and for one change.
 *
 * It runs two embedded clusters in this process and the plugin in another, like `dev --mode standalone`, and prints the figures
 * of one run.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PluginError } from '../../sdk/kube/error.js'
import { formatKey } from '../../sdk/kube/key.js'
import { systemClock } from '../../sdk/time/clock.js'
import type { DevClusters } from '../clusters/clusters.js'
import { startEmbeddedClusters } from '../clusters/embedded-clusters.js'
import { writePluginKubeconfigs } from '../clusters/plugin-kubeconfigs.js'
import { findPlugin } from '../program/find-plugin.js'
import { pluginEnvironment } from '../program/plugin-environment.js'
import { readPluginLine } from '../program/plugin-log.js'
import { type PluginProcess, spawnPlugin } from '../program/plugin-process.js'
import {
  type AppliedSample,
  applySamples,
  readHostSamples,
  readSamples,
  type Sample,
} from '../samples/samples.js'
import { type OutputFormat, print } from '../terminal/output.js'
import { CopiesSeen } from './copies-seen.js'
import { type Figures, rowsOf } from './figures.js'
import { cpuMs, peakMiB } from './process-usage.js'

/** Options of `vcluster-plugin bench`. */
export interface BenchOptions {
  folder: string
  objects: number
  changes: number
  sample: string | undefined
  output: OutputFormat
}

const names = { VCLUSTER_NAME: 'bench', TARGET_NAMESPACE: 'vcluster-bench' }

/** Measures and prints the figures. Throws `PluginError` `NO_PLUGIN`, `INVALID_MANIFEST` or `NOT_MIRRORED`. */
export async function runBench({ output, ...options }: BenchOptions): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'vcluster-plugin-bench-'))
  try {
    const { VCLUSTER_NAME: vclusterName, TARGET_NAMESPACE: targetNamespace } = names
    const ports = { virtualPort: 0, hostPort: 0 }
    const clusters = await startEmbeddedClusters({
      vclusterName,
      targetNamespace,
      dir,
      faults: {},
      mode: 'sidecar',
      asAdmin: true,
      ...ports,
    })
    const figures = await measure(clusters, options)
    await print({ data: figures, table: rowsOf(figures) }, output)
  } finally {
    await rm(dir, { recursive: true })
  }
}

async function measure(
  clusters: DevClusters,
  { folder, objects, changes, sample: file }: Omit<BenchOptions, 'output'>,
): Promise<Figures> {
  const { entry, path } = await findPlugin(folder)
  await clusters.prepare()
  const files = await writePluginKubeconfigs(clusters)
  const env = { VIRTUAL_KUBECONFIG: files.virtual, HOST_KUBECONFIG: files.host, ...names }
  // A first run installs the plugin's own kinds and verifies that it copies the sample.
  const { sample, seen } = await withPlugin({ entry, env }, async (_pid, up) => {
    await up
    const sample = await applySample(clusters, { folder: path, file })
    const seen = new CopiesSeen(clusters, sample)
    await seen.copied(1)
    return { sample, seen }
  })
  await createObjects(clusters, sample, objects)
  const [startedMs, writesBefore] = [performance.now(), seen.writes]
  return withPlugin({ entry, env }, async (pid) => {
    await seen.copied(1 + objects)
    const ms = performance.now() - startedMs
    const cold = { ms, ...usageOf(pid), writes: seen.writes - writesBefore }
    const latenciesMs = await latenciesOf(clusters, { seen, sample, objects, changes })
    return { kind: sample.resource.kind, objects, changes, cold, latenciesMs }
  })
}

type Work<T> = (pid: number, up: Promise<void>) => Promise<T>

/** Runs `work` while the plugin runs. Throws `PluginError` `NOT_MIRRORED` if the plugin exits first. */
async function withPlugin<T>(
  { entry, env }: { entry: string; env: Record<string, string> },
  work: Work<T>,
): Promise<T> {
  let resolveUp = () => {}
  const up = new Promise<void>((resolve) => {
    resolveUp = resolve
  })
  const plugin = spawnPlugin({
    entry,
    env: { ...pluginEnvironment(process.env), ...env },
    onLine: (line) => readPluginLine(line)?.running && resolveUp(),
  })
  try {
    return await Promise.race([work(plugin.pid, up), endOf(plugin)])
  } finally {
    await plugin.terminate(systemClock)
  }
}

/** Applies all samples and returns the last one, which the objects are made from; it may need the others. */
async function applySample(
  { virtual, host }: DevClusters,
  { folder, file }: { folder: string; file: string | undefined },
): Promise<AppliedSample> {
  await applySamples(await readHostSamples(folder), { side: 'host', ...host })
  const samples = await applySamples(await readSamples(folder, file), { side: 'virtual', ...virtual })
  const sample = samples.at(-1)
  if (sample) return sample
  const named = file ?? 'samples.yaml'
  throw new PluginError(
    'INVALID_MANIFEST',
    `${named} has no object that a plugin could copy; add one at the end`,
  )
}

/** Creates objects from the sample as written, without fields that the server added, such as addresses. */
async function createObjects(
  { virtual: { client } }: DevClusters,
  { resource, key, object }: AppliedSample,
  objects: number,
): Promise<void> {
  const { metadata, ...content } = object
  for (let at = 1; at <= objects; at++) {
    const own = { ...metadata, name: `${key.name}-${at}` }
    await client.create(resource, { ...content, metadata: own }).catch((error: unknown) => {
      const what = `cannot create more objects from ${resource.kind} ${formatKey(key)}: ${String(error)}`
      throw new PluginError('INVALID_MANIFEST', `${what}; remove fields that must be unique`)
    })
  }
}

interface Changing {
  seen: CopiesSeen
  sample: Sample
  objects: number
  changes: number
}

/** Changes one object after the other by an annotation, which every copy has as well. */
async function latenciesOf(
  { virtual: { client } }: DevClusters,
  { seen, sample, objects, changes }: Changing,
): Promise<number[]> {
  const latenciesMs: number[] = []
  for (let at = 0; at < changes; at++) {
    // Steps of a prime number, so that consecutive changes are in different parts of the list.
    const key = { ...sample.key, name: `${sample.key.name}-${1 + ((at * 7919) % objects)}` }
    const body = { metadata: { annotations: { 'bench.vcluster-plugin/change': `${at}` } } }
    const updated = seen.updated(key)
    await client.patch(sample.resource, key, { type: 'merge', body })
    latenciesMs.push(await updated)
  }
  return latenciesMs
}

/** Rejects when the plugin exits by itself. */
async function endOf({ exited }: PluginProcess): Promise<never> {
  const { code, signal, failure } = await exited
  const how = failure?.message ?? `it exited with ${signal ?? `status ${code}`}`
  throw new PluginError('NOT_MIRRORED', `the plugin exited during the measurement: ${how}`)
}

function usageOf(pid: number): Pick<Figures['cold'], 'cpuMs' | 'peakMiB'> {
  return process.platform === 'linux' ? { cpuMs: cpuMs(pid), peakMiB: peakMiB(pid) } : {}
}
