import { additionalOf, propertyOf, type Schema } from '../schema/structural-schema.js'
import { builtInType, withKindFields } from './built-in-type.js'
import { anyScalar, deducedType, type FieldType, type ListType, type MapType } from './field-type.js'

/**
 * The merge type of custom resources, by `x-kubernetes-list-type`, `-list-map-keys` and `-map-type` in their
 * schema. https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy
 */
export function customType(schema: Schema): MapType {
  return typeWithMetadata(schema, isOpen(schema))
}

function typeWithMetadata(schema: Schema, open: boolean): MapType {
  const ownType = objectType(schema, open)
  const metadata = builtInType('meta/v1.ObjectMeta')
  return { ...ownType, field: (name) => (name === 'metadata' ? metadata : ownType.field(name)) }
}

/** Types of schemas that are inside one that preserves unknown fields (`open`), and of others. */
const types = { open: new WeakMap<Schema, FieldType>(), closed: new WeakMap<Schema, FieldType>() }

function isOpen(schema: Schema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true
}

/**
 * The type of a value by its schema. `inherited` means that a schema above preserves unknown fields. Pruning
 * removes them nevertheless, but their appliers may own them; `schemaconv/openapi.go` of k8s.io/kube-openapi.
 */
function typeOf(schema: Schema, inherited: boolean): FieldType {
  const open = inherited || isOpen(schema)
  const typesBySchema = open ? types.open : types.closed
  const existing = typesBySchema.get(schema) ?? makeType(schema, open)
  typesBySchema.set(schema, existing)
  return existing
}

function makeType(schema: Schema, open: boolean): FieldType {
  if (schema['x-kubernetes-int-or-string'] === true) return anyScalar
  switch (schema.type) {
    case 'object':
      return schema['x-kubernetes-embedded-resource'] === true
        ? withKindFields(typeWithMetadata(schema, open))
        : objectType(schema, open)
    case 'array':
      return arrayType(schema, open)
    case 'string':
    case 'boolean':
      return { form: 'scalar', is: schema.type }
    case 'integer':
    case 'number':
      return { form: 'scalar', is: 'number' }
    default:
      return schema.properties === undefined ? deducedType : objectType(schema, open)
  }
}

function objectType(schema: Schema, open: boolean): MapType {
  const field = (name: string) => {
    const property = propertyOf(schema, name)
    return property === undefined ? undefined : typeOf(property, open)
  }
  const atomic = schema['x-kubernetes-map-type'] === 'atomic'
  return { form: 'map', atomic, field, element: elementType(schema, open) }
}

/** The type of members that are not declared; any type if the schema declares none at all. */
function elementType(schema: Schema, open: boolean): FieldType | undefined {
  const additional = additionalOf(schema)
  if (additional !== undefined) return typeOf(additional, open)
  return open || Object.keys(schema.properties ?? {}).length === 0 ? deducedType : undefined
}

function arrayType({ items = {}, ...schema }: Schema, open: boolean): ListType {
  const merge = schema['x-kubernetes-list-type'] ?? 'atomic'
  const keys = (schema['x-kubernetes-list-map-keys'] ?? []).map((name) => {
    const value = propertyOf(items, name)?.default
    return value === undefined ? { name } : { name, default: value }
  })
  return { form: 'list', merge, keys, element: typeOf(items, open) }
}
