import { parseApi } from '../kind/parse-api.js'
import { templateApi } from '../templates/operator/for-api.js'
import { operatorFiles } from '../templates/operator/operator-files.js'
import { checkWithoutVCluster } from './check-without-vcluster.js'
import type { NewProject, ProjectRequest } from './program-kind.js'

/** The project of an operator: a kind, a controller that owns a Deployment, and their tests. */
export async function operatorProject({ name, args, packages }: ProjectRequest): Promise<NewProject> {
  checkWithoutVCluster(args)
  const api = args.api === undefined ? templateApi : parseApi(args.api)
  return {
    files: operatorFiles({ name, api, packages: await packages() }),
    notes: [],
    dev: 'the operator on an embedded cluster, with a sample',
  }
}
