import type { Pod } from '../../sdk/engine/kube/builtin.js'
import { jsonEqual } from '../../sdk/engine/kube/json.js'

/**
 * The parts of a Pod's spec that the operator compares, and their names in its message. Labels and annotations are not
 * compared.
 */
const parts = {
  volumes: 'volumes',
  containers: 'containers',
  initContainers: 'init-containers',
  securityContext: 'security-context',
  affinity: 'affinity',
  tolerations: 'tolerations',
  nodeSelector: 'node-selector',
  topologySpreadConstraints: 'topology-spread-constraints',
  serviceAccountName: 'service-account-name',
  schedulerName: 'scheduler-name',
  hostname: 'hostname',
  terminationGracePeriodSeconds: 'termination-grace-period',
} as const

/** The first part in which two specs differ; undefined if the operator would leave the Pod alone. */
export function differentPart(one: Pod['spec'], other: Pod['spec']): string | undefined {
  const names = Object.keys(parts) as (keyof typeof parts)[]
  const found = names.find((name) => !jsonEqual(one?.[name] ?? null, other?.[name] ?? null))
  return found && parts[found]
}
