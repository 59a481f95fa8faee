import type { ServedResource } from '../resources/served-resource.js'
import {
  embeddedMember,
  type Field,
  isWrittenTime,
  type Struct,
  structNamed,
  structOf,
} from '../schema/schema.js'

const zeros = new WeakMap<ServedResource, object>()

/** The fields that Go writes even for an empty object: structs, and fields without `omitempty`. */
export function zeroObject(resource: ServedResource): object {
  const existing = zeros.get(resource)
  if (existing !== undefined) return existing
  const struct = structOf(resource)
  // Custom resources are not structs.
  const zero = struct === undefined ? { metadata: {} } : zeroStruct(struct)
  zeros.set(resource, zero)
  return zero
}

function zeroStruct({ fields }: Struct): Record<string, unknown> {
  const zero: Record<string, unknown> = {}
  for (const field of fields) {
    if (field.name === embeddedMember) {
      if (field.type.form === 'struct') Object.assign(zero, zeroStruct(structNamed(field.type.name)))
      continue
    }
    const value = zeroField(field)
    if (value !== undefined) zero[field.name] = value
  }
  return zero
}

function zeroField({ name, type, pointer, keep }: Field): unknown {
  if (!pointer && isWrittenTime({ name, type })) return null
  if (pointer) return keep ? null : undefined
  if (type.form === 'struct') return zeroStruct(structNamed(type.name))
  if (!keep) return undefined
  if (type.form === 'string') return ''
  if (type.form === 'int' || type.form === 'float') return 0
  return type.form === 'bool' ? false : null
}
