/** src/web-program.ts: a manager that keeps a Deployment and a Service. */
export const programFile = `import type { Deployment, Service } from 'vcluster-plugin-sdk'
import {
  defineProgram,
  type Manager,
  type MetaData,
  type ModuleCluster,
  type OperationContext,
} from 'vcluster-plugin-sdk/modules'
import * as z from 'zod'

// A strict object refuses names that it does not have, such as a misspelled one.
const config = z.strictObject({
  appName: z.string().min(1).default('web'),
  replicas: z.int().min(1).max(10).default(1),
})
type Config = z.infer<typeof config>

/** The objects that an installation has made, in the metadata of its Module. */
const installed = z.object({ deployment: z.string(), service: z.string() })

/** Keeps a web server. Each method is called at least once: again after an error or a crash. */
class WebManager implements Manager {
  readonly cluster: ModuleCluster
  readonly config: Config

  constructor(cluster: ModuleCluster, config: Config) {
    this.cluster = cluster
    this.config = config
  }

  async install({ signal, logger, attempt }: OperationContext, metaData: MetaData): Promise<void> {
    const { appName } = this.config
    logger.info({ app: appName, attempt }, 'installing')
    // Before the objects: whatever happens next, \`uninstall\` knows their names.
    metaData.set('installed', { deployment: appName, service: appName })
    await metaData.save()
    await this.cluster.apply([deploymentOf(this.config), serviceOf(this.config)], { signal })
  }

  async uninstall({ signal }: OperationContext, metaData: MetaData): Promise<void> {
    const made = metaData.decode('installed', installed)
    if (made) await this.cluster.delete([deploymentNamed(made.deployment), serviceNamed(made.service)], { signal })
  }

  async sleep({ signal }: OperationContext, metaData: MetaData): Promise<void> {
    const known = metaData.get('replicas')
    const target = deploymentNamed(this.config.appName)
    metaData.set('replicas', await this.cluster.scaleDown(target, { signal, known }))
  }

  async resume({ signal }: OperationContext, metaData: MetaData): Promise<void> {
    // By its note on the Deployment, also after a sleep that was aborted. The argument known is for one without it.
    const known = metaData.get('replicas')
    await this.cluster.scaleUp(deploymentNamed(this.config.appName), { signal, known })
    metaData.delete('replicas')
  }
}

/** The program: it makes the managers of Modules. */
export const webProgram = defineProgram({
  name: 'web',
  version: '0.1.0',
  sdk: '>=0.1.0 <1',
  config,
  permissions: [
    { group: 'apps', resource: 'deployments', verbs: ['get', 'create', 'patch', 'delete'] },
    { group: '', resource: 'services', verbs: ['get', 'create', 'patch', 'delete'] },
  ],
  newManager: ({ cluster, config: given }) => new WebManager(cluster, given),
})

/** An operator that loads this file takes its default export. */
export default webProgram

const deploymentNamed = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name } }) as const
const serviceNamed = (name: string) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name } }) as const

function deploymentOf({ appName, replicas }: Config): Deployment {
  const labels = { app: appName }
  return {
    ...deploymentNamed(appName),
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            { name: 'web', image: 'nginxinc/nginx-unprivileged:1.29-alpine', ports: [{ containerPort: 8080 }] },
          ],
        },
      },
    },
  }
}

function serviceOf({ appName }: Config): Service {
  return { ...serviceNamed(appName), spec: { selector: { app: appName }, ports: [{ port: 80, targetPort: 8080 }] } }
}
`
