import type { DevClusters } from '../clusters/clusters.js'
import { applySamples, readHostSamples, readSamples, type Sample } from '../samples/samples.js'

/** Which samples {@link applyAllSamples} applies. */
export interface AllSamplesOptions {
  /** The plugin's folder. */
  path: string
  /** The file in place of its `samples.yaml`. */
  seed: string | undefined
  /** Hears what is left out, because it would be written to a real cluster unasked. */
  onSkipped: (what: string) => void
}

/**
 * Applies what is there to begin with to both clusters, and answers the samples that are to be copied. A real cluster gets
 * what its user has named, by `seed`, and nothing else.
 */
export async function applyAllSamples(
  { virtual, host, targetNamespace: namespace }: DevClusters,
  { path, seed, onSkipped }: AllSamplesOptions,
): Promise<readonly Sample[]> {
  const forHost = await readHostSamples(path)
  if (host.isReal && forHost.length > 0)
    onSkipped('host-samples.yaml is skipped: it is not applied to a real host cluster')
  const ofHost = host.isReal ? [] : await applySamples(forHost, { ...host, side: 'host', namespace })
  if (virtual.isReal && seed === undefined) {
    onSkipped('samples.yaml is skipped: a real virtual cluster gets only samples that --seed names')
    return ofHost
  }
  const ofUsers = await applySamples(await readSamples(path, seed), {
    ...virtual,
    side: 'virtual',
    file: seed,
  })
  // Those of the host may be there for others to refer to; where users have none, they are what is mirrored.
  return ofUsers.length > 0 ? ofUsers : ofHost
}
