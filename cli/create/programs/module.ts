import { moduleFiles } from '../templates/module/module-files.js'
import { checkWithoutVCluster } from './check-without-vcluster.js'
import type { NewProject, ProjectRequest } from './program-kind.js'

/**
 * The project of an operator of Modules: the operator, a program that it has and that it can load, samples and tests.
 */
export async function moduleProject({ name, args, packages }: ProjectRequest): Promise<NewProject> {
  checkWithoutVCluster(args)
  return {
    files: moduleFiles({ name, packages: await packages() }),
    notes: [],
    dev: 'the operator on an embedded cluster, with a Workspace and two Modules',
  }
}
