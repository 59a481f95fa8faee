import type { DevClusters } from '../../clusters/clusters.js'
import { startEmbeddedClusters } from '../../clusters/embedded-clusters.js'
import { writePluginKubeconfigs } from '../../clusters/plugin-kubeconfigs.js'
import {
  type AppliedSample,
  applySamples,
  readHostSamples,
  readSamples,
  type Sample,
} from '../../samples/samples.js'
import type { MeasureOptions } from '../bench-options.js'
import type { Figures } from '../figures.js'
import { createNumbered, lastSample, numberedKey } from '../many-objects.js'
import { usageOf, withProgram } from '../measured-process.js'
import { CopiesSeen } from './copies-seen.js'

const names = { VCLUSTER_NAME: 'bench', TARGET_NAMESPACE: 'vcluster-bench' }

/**
 * Measures a plugin of a vcluster: two embedded clusters in this process, and the plugin in another, like `dev --mode
 * standalone`. Throws a `PluginError` `INVALID_MANIFEST` or `NOT_MIRRORED`.
 */
export async function measurePlugin({
  program: { entry, path },
  dir,
  objects,
  changes,
  sample: file,
}: MeasureOptions): Promise<Figures> {
  const clusters = await startClusters(dir)
  await clusters.prepare()
  const files = await writePluginKubeconfigs(clusters)
  const env = { VIRTUAL_KUBECONFIG: files.virtual, HOST_KUBECONFIG: files.host, ...names }
  // A first run installs the plugin's own kinds and verifies that it copies the sample.
  const { sample, copiesSeen } = await withProgram({ entry, env }, async (_pid, up) => {
    await up
    const sample = await applySample(clusters, { folder: path, file })
    const copies = new CopiesSeen(clusters, sample)
    await copies.untilCopied(1)
    return { sample, copiesSeen: copies }
  })
  await createNumbered(clusters.virtual.client, sample, objects)
  const [startedMs, writesBefore] = [performance.now(), copiesSeen.writes]
  return withProgram({ entry, env }, async (pid) => {
    await copiesSeen.untilCopied(1 + objects)
    const ms = performance.now() - startedMs
    const cold = { ms, ...usageOf(pid), writes: copiesSeen.writes - writesBefore }
    const latenciesMs = await latenciesOf(clusters, { copiesSeen, sample, objects, changes })
    return { program: 'plugin', kind: sample.resource.kind, objects, changes, cold, latenciesMs }
  })
}

function startClusters(dir: string): Promise<DevClusters> {
  return startEmbeddedClusters({
    vclusterName: names.VCLUSTER_NAME,
    targetNamespace: names.TARGET_NAMESPACE,
    dir,
    faults: {},
    mode: 'sidecar',
    asAdmin: true,
    virtualPort: 0,
    hostPort: 0,
  })
}

/** Applies all samples and returns the last one. */
async function applySample(
  { virtual, host }: DevClusters,
  { folder, file }: { folder: string; file: string | undefined },
): Promise<AppliedSample> {
  await applySamples(await readHostSamples(folder), { side: 'host', ...host })
  const samples = await applySamples(await readSamples(folder, file), { side: 'virtual', ...virtual })
  return lastSample(samples, file)
}

interface ChangeOptions {
  copiesSeen: CopiesSeen
  sample: Sample
  objects: number
  changes: number
}

/** Changes one object after the other by an annotation, which every copy has as well. */
async function latenciesOf(
  { virtual: { client } }: DevClusters,
  { copiesSeen: copies, sample, objects, changes }: ChangeOptions,
): Promise<number[]> {
  const latenciesMs: number[] = []
  for (let changeNumber = 0; changeNumber < changes; changeNumber++) {
    // Steps of a prime number, so that consecutive changes are in different parts of the list.
    const key = numberedKey(sample, 1 + ((changeNumber * 7919) % objects))
    const body = { metadata: { annotations: { 'bench.vcluster-plugin/change': `${changeNumber}` } } }
    const updated = copies.untilUpdated(key)
    await client.patch(sample.resource, key, { type: 'merge', body })
    latenciesMs.push(await updated)
  }
  return latenciesMs
}
