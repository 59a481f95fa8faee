import { cnpgFiles } from '../templates/cnpg/cnpg-files.js'
import { checkWithoutVCluster } from './check-without-vcluster.js'
import type { NewProject, ProjectRequest } from './program-kind.js'

/** The project of a plugin for CloudNativePG: its parameters and hooks, their tests, and sample Clusters. */
export async function cnpgProject({ name, args, packages }: ProjectRequest): Promise<NewProject> {
  checkWithoutVCluster(args)
  return {
    files: cnpgFiles({ name, packages: await packages() }),
    notes: [],
    dev: 'the plugin with a simulated operator, on the Clusters in samples',
  }
}
