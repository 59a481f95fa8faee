import { helmApi } from '../chart/helm-api.js'
import { helmFiles } from '../templates/helm/helm-files.js'
import { checkWithoutVCluster } from './check-without-vcluster.js'
import type { NewProject, ProjectRequest } from './program-kind.js'

/** The project of an operator that keeps a release of a chart for each object of a kind. */
export async function helmProject({ name, args, packages }: ProjectRequest): Promise<NewProject> {
  checkWithoutVCluster(args)
  const api = await helmApi({ ...args, name })
  return {
    files: helmFiles({ name, api, packages: await packages() }),
    notes: api.origin ? [`charts/${api.chart} is ${api.origin}`] : [],
    choices: {
      // A chart that the template made is made again; another one is in the project now.
      chart: args.chart && `charts/${api.chart}`,
      origin: api.origin,
      api: `${api.group}/${api.version}/${api.kind}`,
    },
    dev: 'the operator on an embedded cluster, with a sample',
  }
}
