import { notesOf, noteValue } from '../fields/built-in-type.js'
import { type Field, structNamed, type ValueType } from '../schema/schema.js'
import { type ApiSchema, metaTypes, reference, referenceWith, schemaTypes } from './well-known-schemas.js'

/** The packages of the types of groups that separate servers in a kube-apiserver serve. */
const packages: Readonly<Record<string, string>> = {
  apiextensions: 'io.k8s.apiextensions-apiserver.pkg.apis.',
  apiregistration: 'io.k8s.kube-aggregator.pkg.apis.',
}
const raw = 'io.k8s.apimachinery.pkg.runtime.RawExtension'

/** The OpenAPI name of a type of the table: `core/v1.Pod` is `io.k8s.api.core.v1.Pod`. */
export function schemaName(typeName: string): string {
  if (typeName.startsWith('meta/v1.')) return metaTypes + typeName.slice('meta/v1.'.length)
  const dotted = typeName.replace('/', '.')
  return (packages[typeName.split('/', 1)[0] ?? ''] ?? 'io.k8s.api.') + dotted
}

/**
 * The schema of a type of the table, without descriptions, as `k8s.io/kube-openapi` generates it from the Go
 * type: required fields, defaults, enums, and merge strategies of lists. Calls `uses` with every type that it
 * refers to.
 */
export function builtInSchema(typeName: string, uses: (typeName: string) => void): ApiSchema {
  const notes = notesOf(typeName)
  const fields = [...structNamed(typeName).byName.values()]
  const required = fields.map(({ name }) => name).filter((name) => notes.get(name)?.includes('required'))
  const properties = fields.map((field) => [
    field.name,
    fieldSchema(field, notes.get(field.name) ?? [], uses),
  ])
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    ...(fields.length > 0 && { properties: Object.fromEntries(properties) as Record<string, ApiSchema> }),
    ...(notes.has('.') && { 'x-kubernetes-map-type': 'atomic' }),
  }
}

function fieldSchema(field: Field, words: readonly string[], uses: (typeName: string) => void): ApiSchema {
  const isRaw = field.type.form === 'json' && field.name !== 'fieldsV1'
  const type = isRaw ? reference(raw) : typeSchema(field.type, { words, uses })
  const byValue = field.type.form === 'struct' && !field.pointer ? { default: {} } : {}
  const notes = { ...byValue, ...notesSchema(field, words) }
  if (type.$ref === undefined) return { ...type, ...notes }
  return { ...notes, allOf: [type] }
}

function notesSchema({ type, merge, keep, pointer }: Field, words: readonly string[]): ApiSchema {
  const value = noteValue(words, 'default')
  const zero = keep && !pointer ? zeros[type.form] : undefined
  return {
    ...(zero !== undefined && { default: zero }),
    ...(value !== undefined && { default: type.form === 'string' ? value : (JSON.parse(value) as unknown) }),
    ...(words.includes('atomic') && { 'x-kubernetes-map-type': 'atomic' as const }),
    ...(type.form === 'list' && listSchema(words)),
    ...(merge !== undefined && { 'x-kubernetes-patch-strategy': 'merge' }),
    ...(typeof merge === 'object' && { 'x-kubernetes-patch-merge-key': merge.mergeKey }),
  }
}

function listSchema(words: readonly string[]): ApiSchema {
  const keys = noteValue(words, 'map')?.split(',')
  if (keys !== undefined) return { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys }
  return { 'x-kubernetes-list-type': words.includes('set') ? 'set' : 'atomic' }
}

/** The notes about a field's values, and the callback for the types of the values. */
interface Values {
  readonly words: readonly string[]
  readonly uses: (typeName: string) => void
}

function typeSchema(type: ValueType, values: Values): ApiSchema {
  switch (type.form) {
    case 'list':
      return { type: 'array', items: elementSchema(type.of, values) }
    case 'map':
      return { type: 'object', additionalProperties: elementSchema(type.of, values) }
    case 'struct':
      values.uses(type.name)
      return reference(schemaName(type.name))
    case 'bool':
      return { type: 'boolean' }
    case 'int':
      return { type: 'integer', format: values.words.includes('int64') ? 'int64' : 'int32' }
    case 'float':
      return { type: 'number', format: 'double' }
    case 'bytes':
      return { type: 'string', format: 'byte' }
    case 'string':
      return { type: 'string', ...enumOf(values.words) }
    default:
      return reference(scalars[type.form])
  }
}

function enumOf(words: readonly string[]): ApiSchema {
  const values = noteValue(words, 'enum')?.replaceAll('%20', ' ').split('|')
  return values === undefined ? {} : { enum: values }
}

/** Go's zero values. */
const zeros: Readonly<Record<string, unknown>> = { string: '', int: 0 }

function elementSchema(type: ValueType, values: Values): ApiSchema {
  const schema = typeSchema(type, values)
  if (type.form === 'struct') return referenceWith(schemaName(type.name), { default: {} })
  const zero = zeros[type.form]
  return zero === undefined ? schema : { ...schema, default: zero }
}

const scalars = {
  time: `${metaTypes}Time`,
  microTime: `${metaTypes}MicroTime`,
  duration: `${metaTypes}Duration`,
  quantity: 'io.k8s.apimachinery.pkg.api.resource.Quantity',
  intOrString: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  json: `${metaTypes}FieldsV1`,
  anything: `${schemaTypes}`,
  schemaOrBool: `${schemaTypes}SchemaPropsOrBool`,
  schemaOrList: `${schemaTypes}SchemaPropsOrArray`,
  schemaOrStrings: `${schemaTypes}SchemaPropsOrStringArray`,
} as const
