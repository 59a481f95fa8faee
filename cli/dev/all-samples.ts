import type { DevClusters } from '../clusters/clusters.js'
import { applySamples, readHostSamples, readSamples, type Sample } from '../samples/samples.js'

/** Options of {@link applyAllSamples}. */
export interface AllSamplesOptions {
  /** The plugin's folder. */
  path: string
  /** The file that replaces its `samples.yaml`. */
  samples: string | undefined
  /** Called with a message about samples that are not applied to a real cluster. */
  onSkipped: (message: string) => void
}

/**
 * Applies the samples to both clusters and returns those that the plugin may copy. A real cluster gets only the samples
 * that the user names with `samples`.
 */
export async function applyAllSamples(
  { virtual, host, targetNamespace: namespace }: DevClusters,
  { path, samples, onSkipped }: AllSamplesOptions,
): Promise<readonly Sample[]> {
  const forHost = await readHostSamples(path)
  if (host.isReal && forHost.length > 0)
    onSkipped('host-samples.yaml is skipped: it is not applied to a real host cluster')
  const hostSamples = host.isReal ? [] : await applySamples(forHost, { ...host, side: 'host', namespace })
  if (virtual.isReal && samples === undefined) {
    onSkipped('samples.yaml is skipped: a real virtual cluster gets only samples that --samples names')
    return hostSamples
  }
  const virtualSamples = await applySamples(await readSamples(path, samples), {
    ...virtual,
    side: 'virtual',
    file: samples,
  })
  // Samples of the host may only be there for references; without samples in the virtual cluster they are originals.
  return virtualSamples.length > 0 ? virtualSamples : hostSamples
}
