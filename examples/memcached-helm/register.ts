import type { Resource } from 'vcluster-plugin-sdk'
import { services } from 'vcluster-plugin-sdk'
import { helmReconciler, loadWatches } from 'vcluster-plugin-sdk/helm'
import type { ControllerPermission, Operator } from 'vcluster-plugin-sdk/operator'
import { backupController } from '../memcached/backup-controller.js'
import { memcachedValues } from './memcached-values.js'

const statefulSets: Resource = {
  ...{ group: 'apps', version: 'v1', kind: 'StatefulSet', plural: 'statefulsets', namespaced: true },
}
const disruptionBudgets: Resource = {
  ...{ group: 'policy', version: 'v1', kind: 'PodDisruptionBudget' },
  ...{ plural: 'poddisruptionbudgets', namespaced: true },
}
const verbs = ['create', 'delete', 'get', 'list', 'patch', 'watch']

/** The permissions for the objects that the chart can make. */
export const chartObjects: readonly ControllerPermission[] = [services, statefulSets, disruptionBudgets].map(
  (resource) => ({ resource, verbs }),
)

/** Registers both halves: the kinds of watches.yaml, whose objects get a release each, and a controller in code. */
export async function register(operator: Operator): Promise<void> {
  for (const entry of await loadWatches(new URL('watches.yaml', import.meta.url)))
    operator.register(
      helmReconciler({ ...entry, translateValues: memcachedValues, permissions: chartObjects }),
    )
  operator.register(backupController)
}
