import { recordOf } from '../base/object.js'
import { compileCondition } from '../custom/cel/match-condition.js'
import { duplicate, type FieldError, invalidValue, required, tooMany } from '../validation/field-error.js'
import { repeatedIndexes } from '../validation/repeated.js'
import { checkQualified } from '../validation/values.js'

const maxConditions = 64

/**
 * The errors of the match conditions of a webhook, or of a policy, which may have parameters; `validateMatchConditions`
 * of Kubernetes v1.36.3.
 */
export function matchConditionErrors(path: string, conditions: unknown, hasParams = false): FieldError[] {
  if (!Array.isArray(conditions)) return []
  const names = conditions.map((condition) => String(recordOf(condition).name ?? ''))
  const repeated = repeatedIndexes(names)
  const errors = conditions.length > maxConditions ? [tooMany(path, conditions.length, maxConditions)] : []
  const each = conditions.flatMap((condition, index) => {
    const name = names[index] ?? ''
    const conditionPath = `${path}[${index}]`
    return [
      ...expressionErrors(
        `${conditionPath}.expression`,
        String(recordOf(condition).expression ?? ''),
        hasParams,
      ),
      ...(name === ''
        ? [required(`${conditionPath}.name`, '')]
        : checkQualified(`${conditionPath}.name`, name)),
      ...(name !== '' && repeated.has(index) ? [duplicate(`${conditionPath}.name`, name)] : []),
    ]
  })
  return [...errors, ...each]
}

function expressionErrors(path: string, expression: string, hasParams: boolean): FieldError[] {
  if (expression.trim() === '') return [required(path, '')]
  // The CEL library has no authorizer, so such an expression can only fail when it is evaluated.
  if (/\bauthorizer\b/.test(expression)) return []
  const compiled = compileCondition(expression, hasParams)
  return 'problem' in compiled ? [invalidValue(path, expression, compiled.problem)] : []
}
