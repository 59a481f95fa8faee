import { namespaces, persistentVolumeClaims, secrets } from '../../engine/kube/builtin.js'
import type { ControllerPermission } from '../../operator/controller/controller-permission.js'

/** The permissions for Helm releases without their objects, which depend on the charts. */
export const helmPermissions: readonly ControllerPermission[] = [
  { resource: secrets, verbs: ['create', 'delete', 'get', 'list', 'update'] },
  { resource: namespaces, verbs: ['create', 'delete', 'get'] },
  { resource: persistentVolumeClaims, verbs: ['delete', 'list'] },
]
