import { helmController } from 'vcluster-plugin-sdk/helm'
import type { Operator } from 'vcluster-plugin-sdk/operator'
import { appChart } from './app-chart.js'
import { apps } from './apps.js'

/** The releases of all Apps are in the namespace `apps`, where users of the Apps need no permissions. */
export function register(operator: Operator): void {
  operator.register(
    helmController({
      resource: apps,
      chart: appChart,
      targetNamespace: 'apps',
      createNamespace: true,
      // Apps of the same name in two namespaces have two releases.
      releaseName: 'name-hash',
      allow: {},
    }),
  )
}
