import type { Pod } from '../../sdk/engine/kube/builtin.js'
import { jsonEqual } from '../../sdk/engine/kube/json.js'

/**
 * The parts of a Pod's spec that the operator compares, and their names in its message. Labels and annotations are not
 * compared.
 */
const partNames = {
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
export function differentPart(before: Pod['spec'], after: Pod['spec']): string | undefined {
  const names = Object.keys(partNames) as (keyof typeof partNames)[]
  const differentField = names.find((name) => !jsonEqual(before?.[name] ?? null, after?.[name] ?? null))
  return differentField && partNames[differentField]
}
