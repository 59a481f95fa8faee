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

const conditionsField = 'status.conditions'
const finalTypes = ['Approved', 'Denied', 'Failed']

/** The conditions of a request. */
export function conditionsOf({ status }: OpenObject): readonly Condition[] {
  const { conditions } = recordOf(status)
  return Array.isArray(conditions) ? conditions.map(recordOf) : []
}

/** The errors of conditions. Empty, opposite and duplicate types are allowed if the old object already has some. */
export function conditionErrors(conditions: readonly Condition[], old: OpenObject | undefined): FieldError[] {
  const before = old === undefined ? [] : conditionsOf(old)
  const allowed = {
    empty: hasEmptyType(before),
    both: isApprovedAndDenied(before),
    duplicates: hasDuplicateTypes(before),
  }
  const seenTypes = new Set<string>()
  return conditions.flatMap((condition, index) => {
    const { type = '' } = condition
    const errors = [
      ...(allowed.empty || type ? [] : [required(`${conditionsField}[${index}].type`, '')]),
      ...statusErrors(condition, `${conditionsField}[${index}].status`),
      ...(allowed.both ? [] : decisionErrors(type, seenTypes)),
      ...(!allowed.duplicates && seenTypes.has(type)
        ? [duplicate(`${conditionsField}[${index}].type`, type)]
        : []),
    ]
    seenTypes.add(type)
    return errors
  })
}

function statusErrors({ type = '', status }: Condition, field: string): FieldError[] {
  return checkChoice(field, status, finalTypes.includes(type) ? ['True'] : ['False', 'True', 'Unknown'])
}

/** The error of a decision after the opposite one; `seenTypes` are the types before it. */
function decisionErrors(type: string, seenTypes: ReadonlySet<string>): FieldError[] {
  const other = type === 'Approved' ? 'Denied' : 'Approved'
  const isDecision = type === 'Approved' || type === 'Denied'
  if (!isDecision || !seenTypes.has(other)) return []
  return [invalidValue(conditionsField, type, 'Approved and Denied conditions are mutually exclusive')]
}

const hasEmptyType = (conditions: readonly Condition[]) => conditions.some(({ type = '' }) => type === '')
const hasDuplicateTypes = (conditions: readonly Condition[]) =>
  new Set(conditions.map(({ type = '' }) => type)).size < conditions.length
const isApprovedAndDenied = (conditions: readonly Condition[]) =>
  ['Approved', 'Denied'].every((type) => conditions.some((each) => each.type === type))
