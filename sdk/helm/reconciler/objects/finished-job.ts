import type { KubeObject } from '../../../engine/kube/object.js'
import type { ReleaseObject } from './release-object.js'

/** The members of a Job that say when Kubernetes deletes it. */
interface JobFields {
  readonly spec?: { readonly ttlSecondsAfterFinished?: number | null }
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] }
}

/** The tolerance for times of a Job, which are rounded to seconds, in milliseconds. */
const roundedMs = 2_000

/**
 * A Job of a release with a time to live, such as `ttlSecondsAfterFinished: 60`. Kubernetes deletes the Job that long
 * after its end. The Job has then done its work, and is not created again. `DriftFinder` has one for each object.
 */
export class FinishedJob {
  #ttlSeconds: number | undefined
  #hasEnded = false
  /** The last time at which the Job was seen running, in milliseconds; undefined if this process did not see it. */
  #runningMs: number | undefined

  /** Called with each answer about the Job; other objects are ignored. */
  observe(live: KubeObject, nowMs: number): void {
    const { spec, status } = live as JobFields
    const { ttlSecondsAfterFinished: ttl } = spec ?? {}
    this.#ttlSeconds = typeof ttl === 'number' ? ttl : undefined
    this.#hasEnded = (status?.conditions ?? []).some(
      (condition) => ['Complete', 'Failed'].includes(condition.type) && condition.status === 'True',
    )
    if (!this.#hasEnded) this.#runningMs = nowMs
  }

  /**
   * Whether Kubernetes has deleted the missing Job. If the Job was seen running less than its time to live ago,
   * somebody else has deleted it.
   */
  isCleanedUp({ resource: { group, kind }, object }: ReleaseObject, nowMs: number): boolean {
    if (kind !== 'Job' || group !== 'batch') return false
    const ttlSeconds = this.#ttlSeconds ?? (object as JobFields).spec?.ttlSecondsAfterFinished ?? undefined
    if (ttlSeconds === undefined) return false
    if (this.#hasEnded || this.#runningMs === undefined) return true
    return nowMs - this.#runningMs >= ttlSeconds * 1_000 - roundedMs
  }
}
