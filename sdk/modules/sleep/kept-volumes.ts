// The policy of a StatefulSet may delete its volumes when it is scaled down. A sleep must not delete data.
import { PermanentError } from '../../engine/kube/error.js'
import { formatKey, type Key } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'

/** The annotation of a StatefulSet whose policy was replaced for its sleep. */
export const whenScaledAnnotation = 'forkspacer.com/when-scaled'

interface StatefulFields extends KubeObject {
  readonly spec?: {
    readonly persistentVolumeClaimRetentionPolicy?: { readonly whenScaled?: string }
    readonly volumeClaimTemplates?: readonly unknown[]
  }
}

/** Whether a workload loses its volumes when it is scaled to 0. */
export function losesVolumes(resource: Pick<Resource, 'group' | 'kind'>, live: KubeObject): boolean {
  if (resource.group !== 'apps' || resource.kind !== 'StatefulSet') return false
  const { persistentVolumeClaimRetentionPolicy: policy, volumeClaimTemplates = [] } =
    (live as StatefulFields).spec ?? {}
  return policy?.whenScaled === 'Delete' && volumeClaimTemplates.length > 0
}

const byOption =
  ', or set keepVolumes in the options of moduleControllers, which makes it Retain during a sleep'

/** The error for a StatefulSet that must not be scaled to 0. `option` says how to allow it nevertheless. */
export function lostVolumesError(key: Key, option = byOption): PermanentError {
  return new PermanentError(
    `StatefulSet ${formatKey(key)} is not put to sleep: its persistentVolumeClaimRetentionPolicy.whenScaled is Delete, so Kubernetes ` +
      `would delete its volumes. Set it to Retain${option}`,
  )
}

const policy = (whenScaled: string) => ({ persistentVolumeClaimRetentionPolicy: { whenScaled } })

/** The part of a patch that replaces the policy by `Retain`. */
export const keepingVolumes = {
  annotations: { [whenScaledAnnotation]: 'Delete' },
  spec: policy('Retain'),
} as const

/** The part of a patch that restores the policy; empty for a workload without the annotation. */
export function restoredPolicy(live: KubeObject): { annotations?: Record<string, null>; spec?: object } {
  const noted = live.metadata.annotations?.[whenScaledAnnotation]
  if (noted === undefined) return {}
  return { annotations: { [whenScaledAnnotation]: null }, ...(noted === 'Delete' && { spec: policy(noted) }) }
}
