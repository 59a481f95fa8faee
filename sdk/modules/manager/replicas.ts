import { PermanentError } from '../../kube/error.js'
import type { Key } from '../../kube/key.js'
import type { KubeObject } from '../../kube/object.js'
import { apiVersionOf, type Resource } from '../../kube/resource.js'
import type { KnownReplicas } from './module-cluster.js'

/** The annotation of a workload that sleeps: the replicas that it had. */
export const replicasAnnotation = 'forkspacer.com/replicas'

/** The intended replicas of a workload; 1 is the default of Kubernetes. */
export function replicasOf(object: KubeObject): number {
  const { spec } = object as KubeObject & { spec?: { replicas?: unknown } }
  return typeof spec?.replicas === 'number' ? spec.replicas : 1
}

/** The replicas that a workload has when it wakes: those before it went to sleep, whatever of that was recorded. */
export function sleepingReplicas(
  live: KubeObject,
  { resource, key }: { resource: Resource; key: Key },
  known: readonly KnownReplicas[],
): number {
  const now = replicasOf(live)
  if (now !== 0) return now
  const noted = Number(live.metadata.annotations?.[replicasAnnotation])
  if (Number.isInteger(noted) && noted > 0) return noted
  const earlier = known.find(
    (one) =>
      one.apiVersion === apiVersionOf(resource) &&
      one.kind === resource.kind &&
      one.name === key.name &&
      (one.namespace ?? key.namespace) === key.namespace,
  )
  return earlier?.replicas ?? 0
}

/** Reads the result of `scaleDown`, which may have been stored as JSON. Throws a `PermanentError` for anything else. */
export function knownReplicas(value: unknown): KnownReplicas[] {
  if (Array.isArray(value) && value.every(isKnown)) return value
  throw new PermanentError(
    `replicas must be what cluster.scaleDown answered, got ${JSON.stringify(value)?.slice(0, 200)}`,
  )
}

function isKnown(value: unknown): value is KnownReplicas {
  const { apiVersion, kind, name, replicas } = Object(value) as Record<string, unknown>
  const isCount = Number.isInteger(replicas) && (replicas as number) >= 0
  return [apiVersion, kind, name].every((text) => typeof text === 'string') && isCount
}
