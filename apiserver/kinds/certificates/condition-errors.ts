import { type OpenObject, recordOf } from '../../base/object.js'
import { duplicate, type FieldError, invalidValue, required } from '../../validation/field-error.js'
import { checkChoice } from '../../validation/values.js'

/** A condition of a CertificateSigningRequest. */
export interface Condition {
  readonly type?: string
  readonly status?: string
  readonly lastUpdateTime?: string | null
  readonly lastTransitionTime?: string | null
}

const FIELD = 'status.conditions'
const FINAL = ['Approved', 'Denied', 'Failed']

/** The conditions of a request. */
export function conditionsOf({ status }: OpenObject): readonly Condition[] {
  const { conditions } = recordOf(status)
  return Array.isArray(conditions) ? conditions.map(recordOf) : []
}

/** The errors of conditions; what was wrong before may stay. */
export function conditionErrors(conditions: readonly Condition[], old: OpenObject | undefined): FieldError[] {
  const before = old === undefined ? [] : conditionsOf(old)
  const allowed = { empty: hasEmpty(before), both: hasBoth(before), twins: hasTwins(before) }
  return conditions.flatMap((condition, at) => [
    ...(allowed.empty || condition.type ? [] : [required(`${FIELD}[${at}].type`, '')]),
    ...statusErrors(condition, `${FIELD}[${at}].status`),
    ...(allowed.both ? [] : decisionErrors(conditions, at)),
    ...(!allowed.twins && isTwin(conditions, at)
      ? [duplicate(`${FIELD}[${at}].type`, condition.type ?? '')]
      : []),
  ])
}

function statusErrors({ type = '', status }: Condition, field: string): FieldError[] {
  return checkChoice(field, status, FINAL.includes(type) ? ['True'] : ['False', 'True', 'Unknown'])
}

function decisionErrors(conditions: readonly Condition[], at: number): FieldError[] {
  const { type } = conditions[at] ?? {}
  const other = type === 'Approved' ? 'Denied' : 'Approved'
  const isDecision = type === 'Approved' || type === 'Denied'
  if (!isDecision || !conditions.slice(0, at).some((each) => each.type === other)) return []
  return [invalidValue(FIELD, type, 'Approved and Denied conditions are mutually exclusive')]
}

function isTwin(conditions: readonly Condition[], at: number): boolean {
  const type = (each: Condition | undefined) => each?.type ?? ''
  return conditions.slice(0, at).some((each) => type(each) === type(conditions[at]))
}

const hasEmpty = (conditions: readonly Condition[]) => conditions.some(({ type = '' }) => type === '')
const hasTwins = (conditions: readonly Condition[]) => conditions.some((_, at) => isTwin(conditions, at))
const hasBoth = (conditions: readonly Condition[]) =>
  ['Approved', 'Denied'].every((type) => conditions.some((each) => each.type === type))
