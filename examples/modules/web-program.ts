import type { Deployment, Service } from 'vcluster-plugin-sdk'
import {
  defineProgram,
  type Manager,
  type MetaData,
  type ModuleCluster,
  type OperationContext,
} from 'vcluster-plugin-sdk/modules'
import * as z from 'zod'

const config = z.object({
  appName: z.string().min(1).default('default-app'),
  replicas: z.int().min(1).max(10).default(1),
})

/** The objects that an installation has made, in the metadata of its Module. */
const installed = z.object({ deployment: z.string(), service: z.string() })

/** Keeps a web server: a Deployment and a Service. */
class WebManager implements Manager {
  readonly #cluster: ModuleCluster
  readonly #config: z.infer<typeof config>

  constructor(cluster: ModuleCluster, given: z.infer<typeof config>) {
    this.#cluster = cluster
    this.#config = given
  }

  async install({ signal, logger, attempt }: OperationContext, metaData: MetaData): Promise<void> {
    const { appName } = this.#config
    logger.info({ app: appName, attempt }, 'installing')
    // Before the objects: whatever happens next, `uninstall` knows their names.
    metaData.set('installed', { deployment: appName, service: appName })
    await metaData.save()
    await this.#cluster.apply([deploymentOf(this.#config), serviceOf(this.#config)], { signal })
  }

  async uninstall({ signal }: OperationContext, metaData: MetaData): Promise<void> {
    const made = metaData.decode('installed', installed)
    if (made)
      await this.#cluster.delete([deploymentNamed(made.deployment), serviceNamed(made.service)], { signal })
  }

  async sleep({ signal }: OperationContext, metaData: MetaData): Promise<void> {
    const known = metaData.get('replicas')
    const target = deploymentNamed(this.#config.appName)
    metaData.set('replicas', await this.#cluster.scaleDown(target, { signal, known }))
  }

  async resume({ signal }: OperationContext, metaData: MetaData): Promise<void> {
    // By its note on the Deployment, also after a sleep that was aborted. `known` is for one whose note somebody
    // removed.
    const known = metaData.get('replicas')
    await this.#cluster.scaleUp(deploymentNamed(this.#config.appName), { signal, known })
    metaData.delete('replicas')
  }
}

/** A program that an operator has in its own code, or loads while it runs. */
// biome-ignore lint/style/noDefaultExport: an operator that loads the file takes its default export
export default defineProgram({
  name: 'web',
  version: '1.0.0',
  sdk: '>=0.1.0 <1',
  config,
  permissions: [
    { group: 'apps', resource: 'deployments', verbs: ['get', 'create', 'patch', 'delete'] },
    { group: '', resource: 'services', verbs: ['get', 'create', 'patch', 'delete'] },
  ],
  newManager: ({ cluster, config: given }) => new WebManager(cluster, given),
})

const deploymentNamed = (name: string) =>
  ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name } }) as const
const serviceNamed = (name: string) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name } }) as const

function deploymentOf({ appName, replicas }: z.infer<typeof config>): Deployment {
  const labels = { app: appName }
  return {
    ...deploymentNamed(appName),
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'web', image: 'nginx:1.29.4', ports: [{ containerPort: 80 }] }] },
      },
    },
  }
}

function serviceOf({ appName }: z.infer<typeof config>): Service {
  return { ...serviceNamed(appName), spec: { selector: { app: appName }, ports: [{ port: 80 }] } }
}
