import { propertyOf, type Schema } from '../../schema/structural-schema.js'
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  required,
  unsupported,
} from '../../validation/field-error.js'

/** Checks `x-kubernetes-list-type`, `x-kubernetes-list-map-keys` and `x-kubernetes-map-type` of one node. */
export function validateListType(schema: Schema, path: string): FieldError[] {
  const listType = schema['x-kubernetes-list-type']
  const mapType = schema['x-kubernetes-map-type']
  const errors: FieldError[] = []
  if (mapType !== undefined) errors.push(...validateKnown(schema, path, map))
  if (listType !== undefined) errors.push(...validateKnown(schema, path, list))
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  if (keys.length > 0 && listType !== 'map') {
    const field = `${path}.x-kubernetes-list-type`
    const why = 'must be map if x-kubernetes-list-map-keys is non-empty'
    errors.push(listType === undefined ? required(field, why) : invalidValue(field, listType, why))
  }
  if (listType === 'map') errors.push(...validateMap(schema, keys, path))
  if (listType === 'map' || listType === 'set') errors.push(...validateItems(schema, keys, path))
  return errors
}

interface AllowedValues {
  readonly member: 'x-kubernetes-list-type' | 'x-kubernetes-map-type'
  readonly type: string
  readonly values: readonly string[]
}

const map: AllowedValues = { member: 'x-kubernetes-map-type', type: 'object', values: ['atomic', 'granular'] }
const list: AllowedValues = {
  member: 'x-kubernetes-list-type',
  type: 'array',
  values: ['atomic', 'set', 'map'],
}

function validateKnown(schema: Schema, path: string, { member, type, values }: AllowedValues): FieldError[] {
  const errors: FieldError[] = []
  const why = `must be ${type} if ${member} is specified`
  if (schema.type === undefined) errors.push(required(`${path}.type`, why))
  else if (schema.type !== type) errors.push(invalidValue(`${path}.type`, schema.type, why))
  const value = schema[member] ?? ''
  if (!values.includes(value)) errors.push(unsupported(`${path}.${member}`, JSON.stringify(value), values))
  return errors
}

function validateMap({ items }: Schema, keys: readonly string[], path: string): FieldError[] {
  const field = `${path}.x-kubernetes-list-map-keys`
  const errors: FieldError[] = []
  if (keys.length === 0) errors.push(required(field, 'must not be empty if x-kubernetes-list-type is map'))
  if (items === undefined) {
    return [...errors, required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map')]
  }
  if (items.type !== 'object') {
    const why = "must be object if parent array's x-kubernetes-list-type is map"
    return [...errors, invalidValue(`${path}.items.type`, items.type ?? '', why)]
  }
  for (const key of keys) {
    const property = propertyOf(items, key)
    if (property === undefined) {
      errors.push(invalidValue(field, keys, 'entries must all be names of item properties'))
    } else if (property.type === 'array' || property.type === 'object') {
      const why = "must be a scalar type if parent array's x-kubernetes-list-type is map"
      errors.push(invalidValue(`${path}.items.properties[${key}].type`, items.type, why))
    }
  }
  if (new Set(keys).size < keys.length) {
    errors.push(invalidValue(field, keys, 'must not contain duplicate entries'))
  }
  return errors
}

function validateItems(schema: Schema, keys: readonly string[], path: string): FieldError[] {
  const { items, 'x-kubernetes-list-type': listType } = schema
  if (items === undefined) return []
  const errors: FieldError[] = []
  if (items.nullable === true) {
    const why = `cannot be nullable when x-kubernetes-list-type is ${listType}`
    errors.push(forbiddenValue(`${path}.items.nullable`, why))
  }
  if (listType === 'set') return [...errors, ...validateSetItems(items, path)]
  for (const key of keys) {
    const property = propertyOf(items, key)
    const keyPath = `${path}.items.properties[${key}]`
    const why = 'this property is in x-kubernetes-list-map-keys, so it'
    if (property !== undefined && property.default === undefined && !items.required?.includes(key)) {
      errors.push(required(`${keyPath}.default`, `${why} must have a default or be a required property`))
    }
    if (property?.nullable === true)
      errors.push(forbiddenValue(`${keyPath}.nullable`, `${why} cannot be nullable`))
  }
  return errors
}

function validateSetItems(items: Schema, path: string): FieldError[] {
  const why = 'must be atomic as item of a list with x-kubernetes-list-type=set'
  const listType = items['x-kubernetes-list-type'] ?? 'atomic'
  if (items.type === 'array' && listType !== 'atomic') {
    return [invalidValue(`${path}.items.x-kubernetes-list-type`, listType, why)]
  }
  if (items.type !== 'object' || items['x-kubernetes-map-type'] === 'atomic') return []
  return [invalidValue(`${path}.items.x-kubernetes-map-type`, null, why)]
}
