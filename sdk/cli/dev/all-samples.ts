import type { DevClusters } from './clusters.js'
import { applySamples, readHostSamples, readSamples, type Sample } from './samples.js'

/** Which samples {@link applyAllSamples} applies. */
export interface AllSamplesOptions {
  /** The plugin's folder. */
  path: string
  /** The file in place of its `samples.yaml`. */
  seed: string | undefined
}

/** Applies what is there to begin with to both clusters, and answers the samples that are to be copied. */
export async function applyAllSamples(
  { virtual, host, targetNamespace: namespace }: DevClusters,
  { path, seed }: AllSamplesOptions,
): Promise<readonly Sample[]> {
  const ofHost = await applySamples(await readHostSamples(path), { ...host, side: 'host', namespace })
  const ofUsers = await applySamples(await readSamples(path, seed), { ...virtual, side: 'virtual' })
  // Those of the host may be there for others to refer to; where users have none, they are what is mirrored.
  return ofUsers.length > 0 ? ofUsers : ofHost
}
