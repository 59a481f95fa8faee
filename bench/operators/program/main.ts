// The same operator as bench/go/peers/operator: a Deployment and a status for each Backup.
import { deployments } from '../../../sdk/index.js'
import { controller, createOperator } from '../../../sdk/operator/index.js'
import { backups } from './backups.js'

const operator = createOperator({ name: 'bench', leaderElection: false })
operator.register(
  controller(backups, {
    owns: [deployments],
    async reconcile(ctx, { metadata: { name = '' }, spec }) {
      const labels = { backup: name }
      const container = {
        name: 'memcached',
        image: 'memcached:1.6',
        ports: [{ name: 'memcached', containerPort: 11211 }],
        resources: { limits: { cpu: '1' } },
      }
      const live = await ctx.apply(deployments, {
        metadata: { name },
        spec: {
          replicas: spec.size,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [container] } },
        },
      })
      ctx.condition('Available', (live.status?.readyReplicas ?? 0) === spec.size, 'DeploymentReady')
    },
  }),
)
await operator.start()
