import { UsageError } from '../../terminal/usage-error.js'
import { operatorFiles } from '../templates/operator/operator-files.js'
import type { NewProject, ProjectRequest } from './program-kind.js'

/** The project of an operator: a kind, a controller that owns a Deployment, and their tests. */
export async function operatorProject({ name, args, packages }: ProjectRequest): Promise<NewProject> {
  const { direction, vclusterVersion } = args
  if (direction || vclusterVersion)
    throw new UsageError(
      `${direction ? '--direction' : '--vcluster-version'} is for plugins that copy objects; remove it, because --kind operator needs no vcluster`,
    )
  return {
    files: operatorFiles({ name, packages: await packages() }),
    notes: [],
    dev: 'the operator on an embedded cluster, with a sample',
  }
}
