import { moduleControllers } from 'vcluster-plugin-sdk/modules'
import type { Operator } from 'vcluster-plugin-sdk/operator'

/** Modules may be releases of charts of the repositories of one team, and bring no cluster-wide objects. */
export function register(operator: Operator): void {
  operator.register(...moduleControllers({ helm: { charts: { allow: ['https://git.example/team/'] } } }))
}
