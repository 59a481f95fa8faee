import type { CnpgCluster } from '../../../sdk/cnpg/cluster/cluster.js'
import { isJsonObject } from '../../../sdk/engine/kube/json-object.js'
import { closestName } from '../../terminal/closest-name.js'

/** The fields of the spec of a Cluster in CloudNativePG 1.28. */
export const specFields =
  `affinity backup bootstrap certificates description enablePDB enableSuperuserAccess env envFrom
  ephemeralVolumeSource ephemeralVolumesSizeLimit externalClusters failoverDelay imageCatalogRef imageName
  imagePullPolicy imagePullSecrets inheritedMetadata instances livenessProbeTimeout logLevel managed maxSyncReplicas
  minSyncReplicas monitoring nodeMaintenanceWindow plugins podSecurityContext postgresGID postgresUID postgresql
  primaryUpdateMethod primaryUpdateStrategy priorityClassName probes projectedVolumeTemplate replica replicationSlots
  resources schedulerName seccompProfile securityContext serviceAccountTemplate smartShutdownTimeout startDelay
  stopDelay storage superuserSecret switchoverDelay tablespaces topologySpreadConstraints walStorage`.split(
    /\s+/,
  )

/** The fields of an entry of `spec.plugins`. */
export const pluginFields = ['name', 'enabled', 'isWALArchiver', 'parameters']

/**
 * A field of the spec of a Cluster, or of an entry of its plugins, that is misspelt: `spec.instanes; did you mean
 * instances?`. A name that resembles none is taken for that of a newer CloudNativePG. An API server refuses both, but
 * the definition of the kind is not here.
 */
export function misspeltField({ spec }: CnpgCluster): string | undefined {
  const plugins: unknown = spec.plugins
  const entries = Array.isArray(plugins) ? plugins : []
  const found = [
    misspeltIn(spec, { path: 'spec', known: specFields }),
    ...entries.map((entry, at) => misspeltIn(entry, { path: `spec.plugins[${at}]`, known: pluginFields })),
  ]
  return found.find((problem) => problem !== undefined)
}

function misspeltIn(
  value: unknown,
  { path, known }: { path: string; known: readonly string[] },
): string | undefined {
  const names = isJsonObject(value) ? Object.keys(value).filter((name) => !known.includes(name)) : []
  for (const name of names) {
    // Too many names are close to a short one.
    const meant = name.length > 3 ? closestName(name, known) : undefined
    if (meant !== undefined) return `${path}.${name}; did you mean ${meant}?`
  }
  return undefined
}
