import { jobs } from 'vcluster-plugin-sdk'
import { controller, type Operator } from 'vcluster-plugin-sdk/operator'
import { apps } from './apps.js'

/** A Job for each App. Its end runs the key again, because the controller owns Jobs. */
const appController = controller(apps, {
  owns: [jobs],
  async reconcile(ctx, { metadata, spec }) {
    const { status } = await ctx.apply(jobs, {
      metadata: { name: metadata.name ?? '' },
      spec: {
        template: {
          spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: spec.image }] },
        },
      },
    })
    const failed = status?.conditions?.find(({ type, status }) => type === 'Failed' && status === 'True')
    const isDone = (status?.succeeded ?? 0) > 0
    ctx.condition('Ready', isDone, isDone ? 'Completed' : failed ? 'Failed' : 'Running', failed?.message)
  },
})

export function register(operator: Operator): void {
  operator.register(appController)
}
