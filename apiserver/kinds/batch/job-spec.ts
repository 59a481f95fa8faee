import type { WorkloadSpec } from '../workloads/template-errors.js'

/** The spec of a Job or of a CronJob's template, as far as its rules read it. */
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
