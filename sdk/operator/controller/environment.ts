import type { Cluster } from '../../engine/cluster/cluster.js'
import { PluginError } from '../../engine/kube/error.js'
import type { UnitEnvironment } from '../../engine/manager/unit-source.js'

/** The program that a controller runs in. */
export type ControllerEnvironment = Pick<
  UnitEnvironment,
  'program' | 'clusters' | 'appliedFields' | 'logger' | 'metrics' | 'clock' | 'stop'
>

/**
 * The cluster with a name; without a name the only one. `controller` or `user` names in the error who asked.
 *
 * @throws `PluginError` `UNKNOWN_CLUSTER` if the program has none of that name, or several and none was named
 */
export function clusterNamed(
  name: string | undefined,
  { clusters, ...requester }: { clusters: readonly Cluster[] } & ({ controller: string } | { user: string }),
): Cluster {
  const [only, ...others] = clusters
  const chosen =
    name === undefined && others.length === 0 ? only : clusters.find((cluster) => cluster.name === name)
  if (chosen) return chosen
  const names = clusters.map((cluster) => cluster.name).join(', ')
  const problem = name === undefined ? 'names no cluster' : `names the cluster ${JSON.stringify(name)}`
  throw new PluginError(
    'UNKNOWN_CLUSTER',
    `${'user' in requester ? requester.user : `controller ${requester.controller}`} ${problem}: set cluster to one of ${names}`,
  )
}
