import { helmController } from 'vcluster-plugin-sdk/helm'
import type { Operator } from 'vcluster-plugin-sdk/operator'
import { appChart } from './app-chart.js'
import { apps } from './apps.js'

/** Adds a label to all objects of a release, without a change of the chart. */
export function register(operator: Operator): void {
  operator.register(
    helmController({
      resource: apps,
      chart: appChart,
      modifyObjects: (objects, { resource }) =>
        objects.map((object) => ({
          ...object,
          metadata: {
            ...object.metadata,
            labels: { ...object.metadata.labels, 'recipes.my.domain/app': resource.metadata.name ?? '' },
          },
        })),
    }),
  )
}
