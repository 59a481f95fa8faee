import { helmController } from 'vcluster-plugin-sdk/helm'
import type { Operator } from 'vcluster-plugin-sdk/operator'
import { appChart } from './app-chart.js'
import { apps } from './apps.js'

const approved = 'recipes.my.domain/approved-generation'

/**
 * A changed App is installed or upgraded once an annotation names its generation. An App as it was created needs no
 * approval.
 */
export function register(operator: Operator): void {
  operator.register(
    helmController({
      resource: apps,
      chart: appChart,
      paused({ resource: { metadata } }) {
        const { generation = 1, annotations } = metadata
        const isApproved = generation === 1 || annotations?.[approved] === String(generation)
        return (
          !isApproved && { reason: 'Unapproved', message: `set the annotation ${approved} to ${generation}` }
        )
      },
    }),
  )
}
