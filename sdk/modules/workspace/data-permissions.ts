import { configMaps, persistentVolumeClaims, pods, secrets } from '../../engine/kube/builtin.js'
import { statefulSets } from '../../engine/kube/builtin-workloads.js'
import type { ControllerPermission } from '../../operator/controller/controller-permission.js'
import type { ForkDataOptions } from '../module/connection/fork-data-options.js'

/** The permissions to copy Secrets and ConfigMaps. */
const forObjects = [
  { resource: secrets, verbs: ['create', 'get', 'update'] },
  { resource: configMaps, verbs: ['create', 'get', 'update'] },
] as const

/** The additional permissions to copy volumes by Pods. */
const forVolumes = [
  { resource: secrets, verbs: ['delete'] },
  { resource: persistentVolumeClaims, verbs: ['get'] },
  { resource: statefulSets, verbs: ['list'] },
  { resource: pods, verbs: ['create', 'delete', 'get'] },
] as const

/** The permissions to copy the data of forks. */
export function permissionsForData({ volumes }: ForkDataOptions): readonly ControllerPermission[] {
  return [...forObjects, ...(volumes ? forVolumes : [])] as never
}
