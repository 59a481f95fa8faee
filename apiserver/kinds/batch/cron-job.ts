import { recordOf } from '../../base/object.js'
import type { KindRules } from '../../resources/kind-rules.js'
import { type FieldError, invalidValue, required, unsupported } from '../../validation/field-error.js'
import { checkChoice, checkNotNegative } from '../../validation/values.js'
import { workloadWarnings } from '../pod-warnings/workload-warnings.js'
import { cronProblem } from './cron-problem.js'
import type { JobSpec } from './job-spec.js'
import { jobSpecErrors } from './job-spec-errors.js'

interface CronJobSpec {
  readonly schedule?: string
  readonly timeZone?: string
  readonly startingDeadlineSeconds?: number
  readonly concurrencyPolicy?: string
  readonly jobTemplate?: { readonly spec?: JobSpec }
  readonly successfulJobsHistoryLimit?: number
  readonly failedJobsHistoryLimit?: number
}

/** The name of a Job consists of the CronJob's name and the minute, in 63 characters. */
const maxName = 52
const policies = ['Allow', 'Forbid', 'Replace']

const warnings = workloadWarnings({ path: ['spec', 'jobTemplate', 'spec'] })

/** https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ */
export const cronJobRules: KindRules = {
  create: warnings.create,
  update: warnings.update,
  metadata: {
    repeatedOnUpdate: 'change',
    repeatedOnStatus: 'none',
    generation: true,
  },
  validate(object, old, subresource) {
    if (subresource === 'status') return []
    const { name = '' } = object.metadata
    const errors = cronJobErrors(recordOf(object.spec), old === undefined ? undefined : recordOf(old.spec))
    const isLong = old === undefined && name.length > maxName
    const long = invalidValue('metadata.name', name, `must be no more than ${maxName} characters`)
    return isLong ? [...errors, long] : errors
  },
}

/** `validateCronJobSpec` of Kubernetes v1.36.3. */
function cronJobErrors(spec: CronJobSpec, old: CronJobSpec | undefined): FieldError[] {
  const template = spec.jobTemplate?.spec ?? {}
  return [
    ...scheduleErrors(spec, old),
    ...checkNotNegative('spec.startingDeadlineSeconds', spec.startingDeadlineSeconds),
    ...(spec.timeZone === old?.timeZone ? [] : zoneErrors(spec.timeZone, 'spec.timeZone')),
    ...checkChoice('spec.concurrencyPolicy', spec.concurrencyPolicy, policies),
    ...jobSpecErrors(template, 'spec.jobTemplate.spec'),
    ...selectorErrors(template, 'spec.jobTemplate.spec'),
    ...checkNotNegative('spec.successfulJobsHistoryLimit', spec.successfulJobsHistoryLimit),
    ...checkNotNegative('spec.failedJobsHistoryLimit', spec.failedJobsHistoryLimit),
  ]
}

function scheduleErrors(
  { schedule = '', timeZone }: CronJobSpec,
  old: CronJobSpec | undefined,
): FieldError[] {
  const field = 'spec.schedule'
  if (schedule === '') return [required(field, '')]
  const problem = cronProblem(schedule)
  const errors = problem === undefined ? [] : [invalidValue(field, schedule, problem)]
  if (!schedule.includes('TZ')) return errors
  const had = old?.schedule?.includes('TZ') ?? false
  const twice = 'cannot use both timeZone field and TZ or CRON_TZ in schedule'
  if (had) return timeZone === undefined ? errors : [...errors, invalidValue(field, schedule, twice)]
  const why = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'
  return [...errors, invalidValue(field, schedule, why)]
}

const explicit = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'

function zoneErrors(zone: string | undefined, field: string): FieldError[] {
  if (zone === undefined) return []
  if (zone === '') return [invalidValue(field, zone, 'timeZone must be nil or non-empty string')]
  if (zone.toLowerCase() === 'local') return [invalidValue(field, zone, explicit)]
  return isTimeZone(zone) ? [] : [invalidValue(field, zone, `unknown time zone ${zone}`)]
}

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined
  } catch {
    return false
  }
}

function selectorErrors({ selector, manualSelector }: JobSpec, path: string): FieldError[] {
  return [
    ...(selector ? [invalidValue(`${path}.selector`, selector, '`selector` will be auto-generated')] : []),
    ...(manualSelector === true ? [unsupported(`${path}.manualSelector`, 'true', ['nil', 'false'])] : []),
  ]
}
