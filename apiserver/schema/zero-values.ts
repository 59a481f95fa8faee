import type { Resource } from '../../sdk/engine/kube/resource.js'
import { type Field, type Struct, structNamed, structOf, type ValueType } from './schema.js'

/** The values that Go writes for fields of a kind that are not set, without the metadata; none for custom resources. */
export function emptyFields(resource: Pick<Resource, 'group' | 'version' | 'kind'>): Record<string, unknown> {
  const struct = structOf(resource)
  if (struct === undefined) return {}
  const { metadata: _metadata, ...fields } = emptyStruct(struct)
  return fields
}

function emptyStruct({ always }: Struct): Record<string, unknown> {
  return Object.fromEntries(always.map((field) => [field.name, emptyField(field)]))
}

/** The value that Go writes for a field that is not set. */
export function emptyField({ type, pointer }: Field): unknown {
  if (pointer) return null
  return type.form === 'struct' ? emptyStruct(structNamed(type.name)) : (zeros[type.form] ?? null)
}

/** The values that Go writes for fields that are not set, by form; null for other forms. */
const zeros: Readonly<Record<string, unknown>> = {
  string: '',
  bool: false,
  int: 0,
  float: 0,
  quantity: '0',
  intOrString: 0,
  duration: '0s',
}

/** Whether a value is the zero value of its type, which Go omits. */
export function isZero(value: unknown, { form }: ValueType): boolean {
  if (form === 'list') return Array.isArray(value) && value.length === 0
  if (form === 'map') return Object.keys(value as object).length === 0
  return form !== 'struct' && !keptAsIs.has(form) && (value === '' || value === 0 || value === false)
}

/** Forms whose empty values are not omitted. */
const keptAsIs: ReadonlySet<string> = new Set(['json', 'anything', 'schemaOrBool'])

/** The zero value of a type, which Go uses for null in a list or map. */
export function zeroOf(type: ValueType): unknown {
  const { form } = type
  if (form === 'struct') return emptyStruct(structNamed(type.name))
  if (form === 'map') return {}
  if (form === 'list') return []
  if (form === 'bool') return false
  if (form === 'quantity') return '0'
  if (form === 'anything' || form === 'json') return null
  return form === 'int' || form === 'float' ? 0 : ''
}
