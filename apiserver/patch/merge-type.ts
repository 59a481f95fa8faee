import type { Resource } from '../../sdk/engine/kube/resource.js'
import { failure } from '../request/status.js'
import { type Field, type ListStrategy, structNamed, typeNameOf, type ValueType } from '../schema/schema.js'

/** The Go type of a value that a patch is merged into; undefined if the kind's types are not known. */
export type MergeType = ValueType | undefined

/** The strategic merge strategy of one field. */
export interface FieldMerge {
  /** The type of the field, or of its elements if it is a list. */
  readonly type: MergeType
  /** Undefined for lists that are replaced as a whole. */
  readonly list?: ListStrategy
  /** Whether an object is replaced as a whole. */
  readonly isReplaced: boolean
}

/** The type of a built-in kind's objects. */
export function mergeTypeOf(resource: Pick<Resource, 'group' | 'version' | 'kind'>): MergeType {
  const name = typeNameOf(resource)
  return name === undefined ? undefined : { form: 'struct', name }
}

/**
 * The merge strategy of a field, from the type of its object. Throws 500 for an unknown field, as the real
 * server does.
 */
export function fieldMerge(type: MergeType, name: string): FieldMerge {
  if (type === undefined) return { type: undefined, isReplaced: false }
  const { merge, isReplaced, type: memberType } = fieldOf(type, name)
  const of = memberType.form === 'list' ? memberType.of : memberType
  return { type: of, isReplaced, ...(merge === undefined ? {} : { list: merge }) }
}

function fieldOf(type: ValueType, name: string): Field {
  if (type.form !== 'struct' && type.form !== 'json') {
    throw failure(500, `merging an object in json but data type is not struct, instead is: ${type.form}`)
  }
  const struct = type.form === 'struct' ? structNamed(type.name) : undefined
  const field = struct?.byName.get(name) ?? struct?.byName.get(sameButForCase(struct.byName.keys(), name))
  if (field !== undefined) return field
  const goName = struct?.goName ?? 'RawExtension'
  throw failure(500, `unable to find api field in struct ${goName} for the json field "${name}"`)
}

function sameButForCase(names: Iterable<string>, name: string): string {
  const desired = name.toLowerCase()
  return [...names].find((each) => each.toLowerCase() === desired) ?? name
}
