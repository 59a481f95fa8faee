import { controller, type Operator, requeue } from 'vcluster-plugin-sdk/operator'
import { apps } from './apps.js'

const hourMs = 3_600_000

/** Notes the time of a check on each App, once an hour. A change of the App does not start another hour. */
const appController = controller(apps, {
  async reconcile(ctx, { status }) {
    const nowMs = ctx.clock.date().getTime()
    const lastMs = Date.parse(status?.checkedAt ?? '') || 0
    const dueInMs = lastMs + hourMs - nowMs
    if (dueInMs > 0) return requeue({ afterMs: dueInMs })
    ctx.status.checkedAt = new Date(nowMs).toISOString()
    return requeue({ afterMs: hourMs })
  },
})

export function register(operator: Operator): void {
  operator.register(appController)
}
