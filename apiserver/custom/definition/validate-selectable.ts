import type { Schema } from '../../schema/structural-schema.js'
import { duplicate, type FieldError, invalidValue, required, tooMany } from '../../validation/field-error.js'
import { followPath } from '../cel/field-path.js'
import type { DefinedVersion } from './definition.js'

const maxFields = 8
const selectableTypes = ['string', 'boolean', 'integer']

/** Checks the fields that selectors may name; https://kep.k8s.io/4358 */
export function validateSelectable(
  fields: NonNullable<DefinedVersion['selectableFields']>,
  schema: Schema,
  path: string,
): FieldError[] {
  const usedPaths = new Set<string>()
  const errors = fields.flatMap(({ jsonPath = '' }, index) =>
    validateField({ jsonPath, field: `${path}[${index}].jsonPath`, schema, usedPaths }),
  )
  return usedPaths.size > maxFields ? [...errors, tooMany(path, usedPaths.size, maxFields)] : errors
}

interface Selectable {
  readonly jsonPath: string
  readonly field: string
  readonly schema: Schema
  /** The paths of the earlier fields. The check adds the path of this field. */
  readonly usedPaths: Set<string>
}

function validateField({ jsonPath, field, schema, usedPaths }: Selectable): FieldError[] {
  if (jsonPath === '') return [required(field, '')]
  const target = followPath(schema, jsonPath, false)
  if (typeof target === 'string') return [invalidValue(field, jsonPath, `is an invalid path: ${target}`)]
  const errors: FieldError[] = []
  if (target.names[0] === 'metadata') {
    errors.push(invalidValue(field, jsonPath, 'must not point to fields in metadata'))
  }
  if (!selectableTypes.includes(target.schema.type ?? '')) {
    const why =
      'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'
    errors.push(invalidValue(field, jsonPath, why))
  }
  if (usedPaths.has(target.names.join('.'))) errors.push(duplicate(field, jsonPath))
  usedPaths.add(target.names.join('.'))
  return errors
}
