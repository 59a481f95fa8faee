import { fieldAt, type OpenObject, textAt } from '../../base/object.js'
import { formatAge } from '../age.js'
import { containers, elementsAt, lengthOf, pointer, selector, text } from './cell.js'
import type { CellsByResource } from './column.js'

/** The cells of Jobs and CronJobs. */
export const batchCells: CellsByResource = {
  'jobs.batch': {
    Status: jobStatus,
    Completions: completionsOf,
    Duration: durationOf,
    ...containers('spec', 'template', 'spec'),
    Selector: selector('spec', 'selector'),
  },
  'cronjobs.batch': {
    Schedule: text('spec', 'schedule'),
    Timezone: pointer('<none>', 'spec', 'timeZone'),
    Suspend: (object) => goBool(fieldAt(object, 'spec', 'suspend')),
    Active: lengthOf('status', 'active'),
    'Last Schedule': lastSchedule,
    ...containers('spec', 'jobTemplate', 'spec', 'template', 'spec'),
    Selector: selector('spec', 'jobTemplate', 'spec', 'selector'),
  },
}

/** The status of a job by its true conditions; the first one counts. */
const statuses: readonly (readonly [condition: string, status: string])[] = [
  ['Complete', 'Complete'],
  ['Failed', 'Failed'],
]
/** The conditions that count only while a job has not ended and is not being deleted. */
const laterStatuses: typeof statuses = [
  ['Suspended', 'Suspended'],
  ['FailureTarget', 'FailureTarget'],
  ['SuccessCriteriaMet', 'SuccessCriteriaMet'],
]

function jobStatus(job: OpenObject): string {
  const [, ended] = statuses.find(([condition]) => conditionHolds(job, condition)) ?? []
  if (ended !== undefined) return ended
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating'
  const [, status = 'Running'] = laterStatuses.find(([condition]) => conditionHolds(job, condition)) ?? []
  return status
}

function conditionHolds(job: OpenObject, condition: string): boolean {
  return elementsAt(job, 'status', 'conditions').find(({ type }) => type === condition)?.status === 'True'
}

function completionsOf(job: OpenObject): string {
  const succeeded = fieldAt(job, 'status', 'succeeded') ?? 0
  const completions = fieldAt(job, 'spec', 'completions')
  if (completions !== undefined) return `${succeeded}/${completions}`
  const parallelism = Number(fieldAt(job, 'spec', 'parallelism') ?? 0)
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`
}

function durationOf(job: OpenObject, now: Date): string {
  const started = textAt(job, 'status', 'startTime')
  if (started === '') return ''
  const completed = textAt(job, 'status', 'completionTime')
  return formatAge(started, completed === '' ? now : new Date(completed))
}

function lastSchedule(job: OpenObject, now: Date): string {
  const last = textAt(job, 'status', 'lastScheduleTime')
  return last === '' ? '<none>' : formatAge(last, now)
}

/** A boolean in a column of text. */
function goBool(value: unknown): string {
  return value === undefined ? '<unset>' : value === true ? 'True' : 'False'
}
