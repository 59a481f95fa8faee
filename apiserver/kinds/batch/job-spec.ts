import type { WorkloadSpec } from '../workloads/template-errors.js'

/** The fields that the rules read in the spec of a Job or of a CronJob's template. */
export interface JobSpec extends WorkloadSpec {
  readonly parallelism?: number
  readonly completions?: number
  readonly activeDeadlineSeconds?: number
  readonly backoffLimit?: number
  readonly ttlSecondsAfterFinished?: number
  readonly backoffLimitPerIndex?: number
  readonly maxFailedIndexes?: number
  readonly completionMode?: string
  readonly manualSelector?: boolean
  readonly suspend?: boolean
  readonly podFailurePolicy?: object
  readonly successPolicy?: object
  readonly managedBy?: string
  readonly podReplacementPolicy?: string
}
