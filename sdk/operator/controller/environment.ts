import type { Cluster } from '../../engine/cluster/cluster.js'
import { PluginError } from '../../engine/kube/error.js'
import type { UnitEnvironment } from '../../engine/manager/unit-source.js'

/** The program that a controller runs in. */
export type ControllerEnvironment = Pick<
  UnitEnvironment,
  'program' | 'clusters' | 'appliedFields' | 'logger' | 'metrics' | 'clock' | 'stop'
>

/**
 * The cluster with a name.
 *
 * @throws `PluginError` `UNKNOWN_CLUSTER` if the program has none of that name, or several and none was named
 */
export function clusterNamed(
  name: string | undefined,
  { clusters, ...by }: { clusters: readonly Cluster[] } & ({ controller: string } | { user: string }),
): Cluster {
  const [only, ...others] = clusters
  const found = name === undefined && others.length === 0 ? only : clusters.find((one) => one.name === name)
  if (found) return found
  const names = clusters.map((one) => one.name).join(', ')
  const problem = name === undefined ? 'names no cluster' : `names the cluster ${JSON.stringify(name)}`
  throw new PluginError(
    'UNKNOWN_CLUSTER',
    `${'user' in by ? by.user : `controller ${by.controller}`} ${problem}: set cluster to one of ${names}`,
  )
}
