import { invalid } from '../request/status.js'
import {
  type FieldError,
  forbiddenValue,
  invalidText,
  required,
  tooLong,
  unsupported,
} from '../validation/field-error.js'
import type { FieldValidation } from '../validation/field-report.js'

type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions'

/** The maximum size of a manager's name: `FieldManagerMaxLength` of apimachinery. */
export const maxManagerBytes = 128

/** Whether a write is a dry run. Throws 422 for any value except `All`. */
export function isDryRun(values: readonly string[], kind: OptionsKind): boolean {
  const errors = dryRunErrors(values)
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors)
  return values.length > 0
}

/** The errors of the values of `dryRun`. */
export function dryRunErrors(values: readonly string[]): FieldError[] {
  if (values.every((value) => value === 'All')) return []
  const valuesText = `[${values.map((value) => `"${value}"`).join(',')}]`
  return [unsupported('dryRun', valuesText, ['All'])]
}

/** The options in the query of a write. */
export interface WriteOptions {
  readonly dryRun: boolean
  /** The handling of unknown fields; https://kep.k8s.io/2885 */
  readonly fieldValidation: FieldValidation
}

const fieldValidations: readonly FieldValidation[] = ['Ignore', 'Strict', 'Warn']

/** Parses the query of a write. Throws 422, with the errors of `validation.go` of apimachinery's meta/v1. */
export function writeOptions(query: URLSearchParams, kind: OptionsKind, isApply = false): WriteOptions {
  // Most writes have no options.
  if (query.size === 0 && !isApply) return { dryRun: false, fieldValidation: 'Warn' }
  const dryRun = query.getAll('dryRun')
  const requested = query.get('fieldValidation') || 'Warn'
  const fieldValidation = fieldValidations.find((level) => level === requested)
  const errors = [
    ...(kind === 'PatchOptions' ? patchErrors(query, isApply) : []),
    ...managerErrors(query.get('fieldManager') ?? ''),
    ...dryRunErrors(dryRun),
    ...(fieldValidation === undefined
      ? [unsupported('fieldValidation', `"${requested}"`, ['', ...fieldValidations])]
      : []),
  ]
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors)
  return { dryRun: dryRun.length > 0, fieldValidation: fieldValidation ?? 'Warn' }
}

function patchErrors(query: URLSearchParams, isApply: boolean): FieldError[] {
  if (!isApply) {
    return query.has('force') ? [forbiddenValue('force', 'may not be specified for non-apply patch')] : []
  }
  return query.get('fieldManager') ? [] : [required('fieldManager', 'is required for apply patch')]
}

function managerErrors(manager: string): FieldError[] {
  const errors: FieldError[] = []
  if (Buffer.byteLength(manager) > maxManagerBytes) errors.push(tooLong('fieldManager', maxManagerBytes))
  for (const { 0: character, index } of manager.matchAll(/\p{C}/gu)) {
    const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
    const byteOffset = Buffer.byteLength(manager.slice(0, index))
    errors.push(invalidText('fieldManager', manager, `invalid character ${code} (at position ${byteOffset})`))
  }
  return errors
}
