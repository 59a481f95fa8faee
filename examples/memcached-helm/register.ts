import { helmController, loadWatches } from 'vcluster-plugin-sdk/helm'
import type { Operator } from 'vcluster-plugin-sdk/operator'
import { backupController } from '../memcached/backup-controller.js'
import { memcachedValues } from './memcached-values.js'

/** Values that make every kind of object of the chart, for the permissions of the operator. */
const permissionValues = memcachedValues({ size: 2 })

/** Registers both halves: the kinds of watches.yaml, whose objects get a release each, and a controller in code. */
export async function register(operator: Operator): Promise<void> {
  for (const entry of await loadWatches(new URL('watches.yaml', import.meta.url)))
    operator.register(helmController({ ...entry, translateValues: memcachedValues, permissionValues }))
  operator.register(backupController)
}
