import { recordOf, textAt } from '../../base/object.js'
import { type FieldError, invalidValue, required } from '../../validation/field-error.js'
import type { DefinedVersion } from './definition.js'

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string']
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password']

/** Validates the additional printer columns of a version. */
export function validateColumns(
  columns: DefinedVersion['additionalPrinterColumns'] = [],
  path: string,
): FieldError[] {
  return columns.flatMap((column, index) => validateColumn(column, `${path}[${index}]`))
}

function validateColumn(column: Readonly<Record<string, unknown>>, path: string): FieldError[] {
  const type = textAt(column, 'type')
  const format = textAt(column, 'format')
  const jsonPath = textAt(column, 'jsonPath')
  const errors = textAt(column, 'name') === '' ? [required(`${path}.name`, '')] : []
  const types = `must be one of ${columnTypes.join()}`
  if (type === '') errors.push(required(`${path}.type`, types))
  else if (!columnTypes.includes(type)) errors.push(invalidValue(`${path}.type`, type, types))
  if (format !== '' && !columnFormats.includes(format)) {
    errors.push(invalidValue(`${path}.format`, format, `must be one of ${columnFormats.join()}`))
  }
  if (jsonPath === '') errors.push(required(`${path}.JSONPath`, ''))
  return [...errors, ...(jsonPath === '' ? [] : validatePath(jsonPath, `${path}.JSONPath`))]
}

function validatePath(value: string, path: string): FieldError[] {
  return value.startsWith('.')
    ? []
    : [invalidValue(path, value, 'must be a simple json path starting with .')]
}

/** Validates the paths of `/scale`. */
export function validateSubresources(
  subresources: DefinedVersion['subresources'],
  path: string,
): FieldError[] {
  if (subresources?.scale === undefined) return []
  const scale = recordOf(subresources.scale)
  const selector = textAt(scale, 'labelSelectorPath')
  return [
    ...validateReplicas(textAt(scale, 'specReplicasPath'), `${path}.scale.specReplicasPath`, '.spec'),
    ...validateReplicas(textAt(scale, 'statusReplicasPath'), `${path}.scale.statusReplicasPath`, '.status'),
    ...(selector === '' ? [] : validateSelector(selector, `${path}.scale.labelSelectorPath`)),
  ]
}

function validateReplicas(value: string, path: string, root: string): FieldError[] {
  if (value === '') return [required(path, '')]
  const errors = validatePath(value, path)
  if (errors.length > 0 || value.startsWith(`${root}.`)) return errors
  return [invalidValue(path, value, `should be a json path under ${root}`)]
}

function validateSelector(value: string, path: string): FieldError[] {
  const errors = validatePath(value, path)
  if (errors.length > 0 || value.startsWith('.spec.') || value.startsWith('.status.')) return errors
  return [invalidValue(path, value, 'should be a json path under either .spec or .status')]
}
