import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import { type OpenObject, recordOf, textAt } from '../../base/object.js'
import { duplicate, type FieldError, invalidValue, required } from '../../validation/field-error.js'
import { checkNotNegative } from '../../validation/values.js'
import { indexProblem } from './job-indexes.js'

type Members = Readonly<Record<string, unknown>>

/** A Job before and after a write to its status. */
interface StatusChange {
  readonly spec: Members
  readonly status: Members
  readonly before: Members
}

const counts = ['active', 'succeeded', 'failed', 'ready', 'terminating'] as const

/** The errors of a Job's status; `validateJobStatus` of Kubernetes v1.36.3, for the common fields. */
export function jobStatusErrors(object: OpenObject, old: OpenObject): FieldError[] {
  const change = {
    spec: recordOf(object.spec),
    status: recordOf(object.status),
    before: recordOf(old.status),
  }
  const { status } = change
  return [
    ...counts.flatMap((name) => checkNotNegative(`status.${name}`, status[name] as number | undefined)),
    ...uncountedErrors(recordOf(status.uncountedTerminatedPods)),
    ...conditionErrors(change),
    ...timeErrors(change),
    ...endErrors(change),
    ...indexErrors(change),
    ...readyErrors(change),
  ]
}

function isTrue({ conditions }: Members, type: string): boolean {
  const list = Array.isArray(conditions) ? conditions : []
  return list.some((each) => textAt(each, 'type') === type && textAt(each, 'status') === 'True')
}

const isChanged = ({ status, before }: StatusChange, name: string) =>
  !jsonEqual(status[name] ?? null, before[name] ?? null)
const isTurned = ({ status, before }: StatusChange, type: string) =>
  isTrue(status, type) !== isTrue(before, type)

function uncountedErrors(pods: Members): FieldError[] {
  const seenUids = new Set<unknown>()
  return ['succeeded', 'failed'].flatMap((name) => {
    const uids = Array.isArray(pods[name]) ? (pods[name] as unknown[]) : []
    return uids.flatMap((uid, index) => {
      const field = `status.uncountedTerminatedPods.${name}[${index}]`
      if (uid === '') return [invalidValue(field, uid, 'must not be empty')]
      if (seenUids.has(uid)) return [duplicate(field, uid)]
      seenUids.add(uid)
      return []
    })
  })
}

/** An error about a whole list, which is not quoted. */
function conditionsError(why: string): FieldError {
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${why}`, field: 'status.conditions' }
}

function conditionErrors(change: StatusChange): FieldError[] {
  const { status } = change
  if (!isTrue(status, 'Complete') || !isTurned(change, 'Complete')) return []
  return [
    ...(isTrue(status, 'Failed')
      ? [conditionsError('cannot set Complete=True and Failed=true conditions')]
      : []),
    ...(isTrue(status, 'FailureTarget')
      ? [conditionsError('cannot set Complete=True and FailureTarget=true conditions')]
      : []),
  ]
}

function timeErrors(change: StatusChange): FieldError[] {
  const { status } = change
  const { startTime, completionTime: time } = status
  const field = 'status.completionTime'
  if (!isTurned(change, 'Complete') && !isChanged(change, 'completionTime')) return []
  const isComplete = isTrue(status, 'Complete')
  const early = 'cannot set completionTime when there is no Complete=True condition'
  const isBefore = Date.parse(String(time)) < Date.parse(String(startTime))
  return [
    ...(time !== undefined && !isComplete ? [invalidValue(field, time, early)] : []),
    ...(time === undefined && isComplete
      ? [required(field, 'completionTime is required for Complete jobs')]
      : []),
    ...(isBefore ? [invalidValue(field, time, 'must be equal to or after `startTime`')] : []),
  ]
}

function endErrors(change: StatusChange): FieldError[] {
  const { spec, status } = change
  const isLost = isTurned(change, 'Failed') && isTrue(status, 'Failed') && !isTrue(status, 'FailureTarget')
  const isComplete = isTrue(status, 'Complete')
  const isUnmet = isTurned(change, 'Complete') && isComplete && !isTrue(status, 'SuccessCriteriaMet')
  const isEnded = isComplete || isTrue(status, 'Failed')
  const isNew = isTurned(change, 'Complete') || isTurned(change, 'Failed')
  const isEmpty = spec.suspend === true && spec.completions === 0
  const active = Number(status.active ?? 0)
  return [
    ...(isLost
      ? [conditionsError('cannot set Failed=True condition without the FailureTarget=true condition')]
      : []),
    ...(isUnmet
      ? [conditionsError('cannot set Complete=True condition without the SuccessCriteriaMet=true condition')]
      : []),
    ...(isEnded && active > 0 && (isNew || isChanged(change, 'active'))
      ? [invalidValue('status.active', active, 'active>0 is invalid for finished job')]
      : []),
    ...(isEnded && isNew && !isEmpty && status.startTime === undefined
      ? [required('status.startTime', 'startTime is required for finished job')]
      : []),
  ]
}

function indexErrors(change: StatusChange): FieldError[] {
  const { spec, status } = change
  const { completedIndexes: completed = '', failedIndexes: failed } = status
  const plain = 'cannot set non-empty completedIndexes when non-indexed completion mode'
  const unlimited = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null'
  const field = 'status.completedIndexes'
  const isPlain =
    isChanged(change, 'completedIndexes') && completed !== '' && spec.completionMode !== 'Indexed'
  const isUnlimited = isChanged(change, 'failedIndexes') && failed !== undefined
  const problem = isChanged(change, 'completedIndexes')
    ? indexProblem(String(completed), spec.completions)
    : undefined
  return [
    ...(problem === undefined
      ? []
      : [invalidValue(field, completed, `error parsing completedIndexes: ${problem}`)]),
    ...(isPlain ? [invalidValue(field, completed, plain)] : []),
    ...(isUnlimited && spec.backoffLimitPerIndex === undefined
      ? [invalidValue('status.failedIndexes', failed, unlimited)]
      : []),
  ]
}

function readyErrors(change: StatusChange): FieldError[] {
  const { ready, active = 0 } = change.status
  const isMore = ready !== undefined && Number(ready) > Number(active)
  const isNew = isChanged(change, 'ready') || isChanged(change, 'active')
  return isMore && isNew
    ? [invalidValue('status.ready', ready, 'cannot set more ready pods than active')]
    : []
}
