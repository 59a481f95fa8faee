import { PermanentError } from '../../engine/kube/error.js'
import type { KnownReplicas, ModuleObjectReference } from './module-cluster.js'

/** Reads the result of `scaleDown`, which may have been stored as JSON. Throws a `PermanentError` for anything else. */
export function knownReplicas(value: unknown): KnownReplicas[] {
  if (value === undefined) return []
  if (Array.isArray(value) && value.every(isKnownReplicas)) return value
  throw new PermanentError(
    `replicas must be what cluster.scaleDown answered, got ${JSON.stringify(value)?.slice(0, 200)}`,
  )
}

function isKnownReplicas(value: unknown): value is KnownReplicas {
  const { apiVersion, kind, name, replicas } = Object(value) as Record<string, unknown>
  const isCount = Number.isInteger(replicas) && (replicas as number) >= 0
  return [apiVersion, kind, name].every((text) => typeof text === 'string') && isCount
}

/** A workload to wake; `known` has its replicas if `scaleDown` returned them. */
export interface WorkloadToWake {
  readonly reference: ModuleObjectReference
  readonly known: number | undefined
}

/** Reads the first argument of `scaleUp`. Throws a `PermanentError` unless it names workloads. */
export function workloadsToWake(value: unknown): WorkloadToWake[] {
  const items: unknown[] = Array.isArray(value) ? value : [value]
  return items.map((item) => {
    if (isKnownReplicas(item)) return { reference: { ...item, metadata: item }, known: item.replicas }
    if (isReference(item)) return { reference: item, known: undefined }
    throw new PermanentError(
      `cluster.scaleUp needs workloads, or what cluster.scaleDown answered, got ${JSON.stringify(value)?.slice(0, 200)}`,
    )
  })
}

function isReference(value: unknown): value is ModuleObjectReference {
  const { apiVersion, kind, metadata } = Object(value) as Partial<ModuleObjectReference>
  return [apiVersion, kind, Object(metadata).name].every((text) => typeof text === 'string')
}

/** The replicas of a workload in the result of an earlier `scaleDown`; undefined if the result lacks the workload. */
export function replicasIn(
  results: readonly KnownReplicas[],
  { apiVersion, kind, metadata }: ModuleObjectReference,
  ownNamespace: string,
): number | undefined {
  const { name, namespace = ownNamespace } = metadata
  return results.find(
    (result) =>
      result.apiVersion === apiVersion &&
      result.kind === kind &&
      result.name === name &&
      (result.namespace ?? ownNamespace) === namespace,
  )?.replicas
}
