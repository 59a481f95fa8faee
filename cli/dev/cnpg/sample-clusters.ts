import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { CnpgCluster } from '../../../sdk/cnpg/cluster/cluster.js'
import { PluginError } from '../../../sdk/engine/kube/error.js'
import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import { readSamples } from '../../samples/samples.js'
import { misspeltField } from './misspelt-field.js'

/** Options of {@link readClusters}. */
export interface ReadClustersOptions {
  /** The folder of the plugin. */
  folder: string
  /** A file or folder that the user named. */
  samples: string | undefined
  /** The name of the plugin, for a Cluster where there are no samples. */
  pluginName: string
}

/**
 * The Clusters in a file or in the YAML files of a folder: the given one, or the plugin's `samples/` and
 * `samples.yaml`; a Cluster that names the plugin if there is neither. Objects of other kinds are left out. Throws a
 * `PluginError` `INVALID_MANIFEST` for files that cannot be read, or without a Cluster.
 */
export async function readClusters({
  folder,
  samples,
  pluginName,
}: ReadClustersOptions): Promise<readonly CnpgCluster[]> {
  const path = samples ?? join(folder, 'samples')
  const files = await yamlFiles(path)
  if (files === undefined && samples === undefined)
    return clustersIn(await readSamples(folder, undefined, [sampleFor(pluginName)]), 'samples.yaml')
  const objects = await Promise.all((files ?? [path]).map((file) => readSamples(folder, file)))
  return clustersIn(objects.flat(), path)
}

/** Whether a file may hold samples. */
export const isYaml = (file: string) => /\.ya?ml$/.test(file)

/** The YAML files of a folder in alphabetical order; undefined for a path that is not a folder. */
async function yamlFiles(path: string): Promise<string[] | undefined> {
  const names = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw new PluginError('INVALID_MANIFEST', `cannot read the folder ${path} (${error.code})`, {
      cause: error,
    })
  })
  return names
    ?.filter(isYaml)
    .sort()
    .map((name) => join(path, name))
}

const version = 'postgresql.cnpg.io/v1'

/** Whether an apiVersion is another one of CloudNativePG, and not that of an unrelated kind. */
const isMisspelt = (apiVersion: string) => apiVersion !== version && /postgres|cnpg/.test(apiVersion)

/** The Clusters among objects. Throws `INVALID_MANIFEST` if there is none, or one has no spec or a misspelt field. */
function clustersIn(objects: readonly KubeObject[], source: string): readonly CnpgCluster[] {
  const clusters = objects.filter(({ kind, apiVersion }) => kind === 'Cluster' && apiVersion === version)
  const other = objects.find(({ kind, apiVersion = '' }) => kind === 'Cluster' && isMisspelt(apiVersion))
  if (other) {
    const problem = `has the apiVersion ${other.apiVersion}; write ${version}`
    throw new PluginError('INVALID_MANIFEST', `Cluster ${other.metadata.name} in ${source} ${problem}`)
  }
  if (clusters.length > 0) return clusters.map((object) => checked(object as CnpgCluster, source))
  throw new PluginError(
    'INVALID_MANIFEST',
    `${source} has no Cluster: add an object of apiVersion ${version}, kind Cluster`,
  )
}

function checked(cluster: CnpgCluster, source: string): CnpgCluster {
  const subject = `Cluster ${cluster.metadata.name} in ${source}`
  if (typeof cluster.spec !== 'object' || cluster.spec === null)
    throw new PluginError('INVALID_MANIFEST', `${subject} has no spec: add one with spec.plugins`)
  const misspelt = misspeltField(cluster)
  if (misspelt) throw new PluginError('INVALID_MANIFEST', `${subject} has the unknown field ${misspelt}`)
  return cluster
}

/** The Cluster for a plugin without samples. */
const sampleFor = (pluginName: string): CnpgCluster => ({
  apiVersion: version,
  kind: 'Cluster',
  metadata: { name: 'sample' },
  spec: { instances: 1, plugins: [{ name: pluginName }] },
})
