import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'

/** Fields that the types of CloudNativePG do not name here. */
export interface OtherFields {
  [field: string]: unknown
}

/** A plugin that a Cluster names, in `spec.plugins` or as `spec.externalClusters[].plugin`. */
export interface ClusterPlugin {
  name: string
  /** Default true. */
  enabled?: boolean
  /** Whether the plugin archives the WAL; at most one plugin of a Cluster does. */
  isWALArchiver?: boolean
  parameters?: Record<string, string>
}

/** The status of a plugin in a Cluster. */
export interface ClusterPluginStatus extends OtherFields {
  name: string
  version?: string
  /** The answer of the hook `status`: a text that holds a JSON object. */
  status?: string
}

/** The wanted state of a {@link CnpgCluster}: the fields that plugins read most, and all others untyped. */
export interface ClusterSpec extends OtherFields {
  instances?: number
  imageName?: string
  plugins?: ClusterPlugin[]
  externalClusters?: ({ name: string; plugin?: ClusterPlugin } & OtherFields)[]
  postgresql?: { parameters?: Record<string, string> } & OtherFields
  storage?: { size?: string; storageClass?: string } & OtherFields
  bootstrap?: OtherFields
  env?: { name: string; value?: string; valueFrom?: object }[]
}

/** The observed state of a {@link CnpgCluster}. */
export interface ClusterStatus extends OtherFields {
  phase?: string
  phaseReason?: string
  instances?: number
  readyInstances?: number
  currentPrimary?: string
  targetPrimary?: string
  pluginStatus?: ClusterPluginStatus[]
}

/**
 * The objects of postgresql.cnpg.io/v1 Cluster. `apiVersion` and `kind` may be missing in what an instance sends.
 *
 * See https://cloudnative-pg.io/documentation/current/cloudnative-pg.v1/#cluster
 */
export interface CnpgCluster extends KubeObject {
  kind?: 'Cluster'
  spec: ClusterSpec
  status?: ClusterStatus
}

/** The objects of postgresql.cnpg.io/v1 Backup. */
export interface Backup extends KubeObject {
  kind?: 'Backup'
  spec: { cluster: { name: string }; method?: string; pluginConfiguration?: ClusterPlugin } & OtherFields
  status?: { phase?: string; error?: string } & OtherFields
}

/** postgresql.cnpg.io/v1 Cluster. */
export const clusters: Resource<CnpgCluster> = {
  group: 'postgresql.cnpg.io',
  version: 'v1',
  kind: 'Cluster',
  plural: 'clusters',
  namespaced: true,
}

/** postgresql.cnpg.io/v1 Backup. */
export const backups: Resource<Backup> = {
  group: 'postgresql.cnpg.io',
  version: 'v1',
  kind: 'Backup',
  plural: 'backups',
  namespaced: true,
}
