import { isJsonObject } from '../../sdk/engine/kube/json-object.js'
import { fieldAt, type OpenObject } from '../base/object.js'
import type { ScalePaths } from '../resources/served-resource.js'
import { type FieldError, invalidValue } from '../validation/field-error.js'

const maxReplicas = 2 ** 31 - 1

/** The names in a path such as `.spec.replicas`. */
export function namesOfPath(path: string): string[] {
  return path.split('.').filter(Boolean)
}

/** Validates the numbers of `/scale`. */
export function validateScale(
  object: OpenObject,
  scale: ScalePaths | undefined,
  subresource?: 'status',
): FieldError[] {
  if (scale === undefined) return []
  const paths = subresource === 'status' ? [] : [scale.specReplicasPath]
  return [...paths, scale.statusReplicasPath].flatMap((path) => validateReplicas(object, path))
}

function validateReplicas(object: OpenObject, path: string): FieldError[] {
  const names = namesOfPath(path)
  for (const depth of names.slice(1).keys()) {
    const between = fieldAt(object, ...names.slice(0, depth + 1))
    if (between === undefined) return []
    if (!isJsonObject(between)) return [wrongAccessError(path, between, 'map[string]interface{}')]
  }
  const value = fieldAt(object, ...names)
  if (value === undefined) return []
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    return [wrongAccessError(path, value, 'int64')]
  }
  if (value < 0) return [invalidValue(path, value, 'should be a non-negative integer')]
  if (value <= maxReplicas) return []
  return [invalidValue(path, value, `should be less than or equal to ${maxReplicas}`)]
}

function wrongAccessError(path: string, value: unknown, expected: string): FieldError {
  const actualText = value === null ? '<nil>' : String(value)
  const why = `${path} accessor error: ${actualText} is of the type ${goType(value)}, expected ${expected}`
  return invalidValue(path, 0, why)
}

function goType(value: unknown): string {
  if (value === null) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'number') return 'float64'
  if (typeof value === 'object') return 'map[string]interface {}'
  return typeof value === 'boolean' ? 'bool' : typeof value
}
