import type { KubeObject } from '../sdk/engine/kube/object.js'

/** The state of an object, as the library kstatus computes it for tools that wait for objects. */
export type ReconcileStatus = 'InProgress' | 'Failed' | 'Current' | 'Terminating'

interface Observed {
  observedGeneration?: number
  conditions?: readonly { type: string; status: string }[]
}

/**
 * The state of an object of a custom kind by the rules of kstatus: a deletion, then the generation, then the conditions
 * `Reconciling` and `Stalled` in the order in which they are listed. Without any of them the object counts as current.
 *
 * See `generic.go` and `status.go` in `pkg/kstatus/status` of sigs.k8s.io/cli-utils.
 */
export function kstatus(object: KubeObject): ReconcileStatus {
  const { metadata } = object
  const { observedGeneration, conditions = [] } = (object as { status?: Observed }).status ?? {}
  if (metadata.deletionTimestamp !== undefined) return 'Terminating'
  const isObserved = observedGeneration === undefined || observedGeneration === metadata.generation
  if (metadata.generation !== undefined && !isObserved) return 'InProgress'
  for (const { type, status } of conditions) {
    if (type === 'Reconciling' && status === 'True') return 'InProgress'
    if (type === 'Stalled' && status === 'True') return 'Failed'
  }
  return 'Current'
}
