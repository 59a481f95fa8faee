import { additionalOf, propertyOf, type Schema } from '../custom/schema.js'
import { builtInType, withKindFields } from './built-in-type.js'
import { ANY_SCALAR, DEDUCED, type FieldType, type ListType, type MapType } from './field-type.js'

/**
 * How custom resources are merged, as their schema says by `x-kubernetes-list-type`, `-list-map-keys` and
 * `-map-type`. https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy
 */
export function customType(schema: Schema): MapType {
  const own = objectType(schema)
  const metadata = builtInType('meta/v1.ObjectMeta')
  return { ...own, field: (name) => (name === 'metadata' ? metadata : own.field(name)) }
}

const types = new WeakMap<Schema, FieldType>()

function typeOf(schema: Schema): FieldType {
  const known = types.get(schema) ?? makeType(schema)
  types.set(schema, known)
  return known
}

function makeType(schema: Schema): FieldType {
  if (schema['x-kubernetes-int-or-string'] === true) return ANY_SCALAR
  switch (schema.type) {
    case 'object':
      return schema['x-kubernetes-embedded-resource'] === true ? embeddedType(schema) : objectType(schema)
    case 'array':
      return arrayType(schema)
    case 'string':
    case 'boolean':
      return { form: 'scalar', is: schema.type }
    case 'integer':
    case 'number':
      return { form: 'scalar', is: 'number' }
    default:
      return schema.properties === undefined ? DEDUCED : objectType(schema)
  }
}

function objectType(schema: Schema): MapType {
  const additional = additionalOf(schema)
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true
  const element = additional === undefined ? (isOpen ? DEDUCED : undefined) : typeOf(additional)
  const field = (name: string) => {
    const property = propertyOf(schema, name)
    return property === undefined ? undefined : typeOf(property)
  }
  return { form: 'map', atomic: schema['x-kubernetes-map-type'] === 'atomic', field, element }
}

function embeddedType(schema: Schema): MapType {
  return withKindFields(customType(schema))
}

function arrayType({ items = {}, ...schema }: Schema): ListType {
  const merge = schema['x-kubernetes-list-type'] ?? 'atomic'
  const keys = (schema['x-kubernetes-list-map-keys'] ?? []).map((name) => {
    const value = propertyOf(items, name)?.default
    return value === undefined ? { name } : { name, default: value }
  })
  return { form: 'list', merge, keys, element: typeOf(items) }
}
