import { type Deployment, deployments, pods } from 'vcluster-plugin-sdk'
import { byLabel, controller, watch } from 'vcluster-plugin-sdk/operator'
import { backups, type MemcachedBackup } from './backup.js'

/** Makes a Deployment of memcached for each MemcachedBackup, and lists its Pods in the status. */
export const backupController = controller(backups, {
  owns: [deployments],
  watches: [watch(pods, { keys: byLabel('backup') })],
  async reconcile(ctx, backup) {
    const live = await ctx.apply(deployments, deploymentFor(backup))
    const { name, namespace } = backup.metadata
    const nodes = ctx.store(pods).byLabel('backup', name, namespace)
    ctx.status.nodes = nodes.map((pod) => pod.metadata.name ?? '').sort()
    const isReady = (live.status?.readyReplicas ?? 0) === backup.spec.size
    ctx.condition('Available', isReady, isReady ? 'DeploymentReady' : 'DeploymentProgressing')
  },
})

/** Only the fields that the controller decides: everything else is left to defaults and to others. */
function deploymentFor({
  metadata,
  spec,
}: Pick<MemcachedBackup, 'spec'> & { metadata: { name?: string } }): Deployment {
  const { name = '' } = metadata
  const labels = { app: 'memcached', backup: name }
  return {
    metadata: { name },
    spec: {
      replicas: spec.size,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: 'memcached',
              image: 'memcached:1.6.39-alpine',
              args: ['--memory-limit=64'],
              ports: [{ name: 'memcached', containerPort: 11211 }],
            },
          ],
        },
      },
    },
  }
}
