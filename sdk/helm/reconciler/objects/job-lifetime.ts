import type { KubeObject } from '../../../engine/kube/object.js'
import type { ReleaseObject } from './release-object.js'

/** The members of a Job that are read here. */
interface Job extends KubeObject {
  readonly spec?: { readonly ttlSecondsAfterFinished?: number | null }
}

/** The seconds for which a Job stays after its end; undefined if it stays, and for other kinds. */
export function lifetimeOf({
  resource,
  object,
}: Pick<ReleaseObject, 'resource' | 'object'>): number | undefined {
  if (resource.group !== 'batch' || resource.kind !== 'Job') return undefined
  return (object as Job).spec?.ttlSecondsAfterFinished ?? undefined
}

/**
 * A Job of a hook without its time to live, which is set when the end of the Job is recorded. Otherwise Kubernetes
 * could delete the Job before its end was seen, and the hook would have to run again.
 */
export function withoutLifetime(job: ReleaseObject): ReleaseObject {
  if (lifetimeOf(job) === undefined) return job
  const { spec, ...rest } = job.object as Job
  const { ttlSecondsAfterFinished: _, ...keptSpec } = spec ?? {}
  return { ...job, object: { ...rest, spec: keptSpec } as KubeObject }
}
