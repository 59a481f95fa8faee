import type { OperatorDescription } from '../../sdk/operator/describe/operator-description.js'
import type { OperatorCluster } from '../clusters/operator-cluster.js'
import { type AppliedSample, applySamples, readClusterSamples, readSamples } from './samples.js'

/** The samples of one cluster of an operator. */
export interface ClusterSamples {
  readonly cluster: OperatorCluster
  /** The file that they come from, for messages. */
  readonly file: string
  readonly samples: readonly AppliedSample[]
  /** The samples whose kind the operator defines in this cluster. */
  readonly own: readonly AppliedSample[]
}

/** Options of {@link applyOperatorSamples}. */
export interface OperatorSamplesOptions {
  /** The folder of the operator. */
  readonly folder: string
  /** The file for the first cluster; default `samples.yaml` of the folder. */
  readonly sampleFile: string | undefined
  readonly description: Pick<OperatorDescription, 'kinds'>
}

/**
 * Applies `samples.yaml`, or the given file, to the first cluster of an operator, and `<cluster>-samples.yaml` to each
 * other one. Throws a `PluginError` `INVALID_MANIFEST`.
 */
export async function applyOperatorSamples(
  clusters: readonly OperatorCluster[],
  { folder, sampleFile, description }: OperatorSamplesOptions,
): Promise<ClusterSamples[]> {
  const applied: ClusterSamples[] = []
  for (const cluster of clusters) {
    const { name, client, transport } = cluster
    const isFirst = cluster === clusters[0]
    const file = isFirst ? (sampleFile ?? 'samples.yaml') : `${name}-samples.yaml`
    const objects = isFirst
      ? await readSamples(folder, sampleFile, [])
      : await readClusterSamples(folder, name)
    const samples = await applySamples(objects, { side: 'virtual', name, file, client, transport })
    const ownSamples = samples.filter(({ resource }) => isOwn(description, name, resource))
    applied.push({ cluster, file, samples, own: ownSamples })
  }
  return applied
}

function isOwn(
  { kinds }: Pick<OperatorDescription, 'kinds'>,
  cluster: string,
  { kind, group }: { kind: string; group: string },
): boolean {
  return kinds.some(
    (controlled) =>
      controlled.cluster === cluster &&
      controlled.resource.kind === kind &&
      controlled.resource.group === group,
  )
}
