import { controller, type Operator } from 'vcluster-plugin-sdk/operator'
import { apps } from './apps.js'

/** Stands for the client of a system outside of the cluster. */
export const records = new Map<string, string>()

/** A record for each App. A deleted App stays until its record is gone. */
const appController = controller(apps, {
  reconcile(ctx, { metadata, spec }) {
    records.set(`${metadata.namespace}/${metadata.name}`, spec.image)
    ctx.condition('Ready', true, 'Recorded')
  },
  finalize(_ctx, { metadata }) {
    records.delete(`${metadata.namespace}/${metadata.name}`)
  },
})

export function register(operator: Operator): void {
  operator.register(appController)
}
