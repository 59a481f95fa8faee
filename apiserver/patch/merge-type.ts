import type { Resource } from '../../sdk/kube/resource.js'
import { failure } from '../request/status.js'
import { type Field, type ListStrategy, structNamed, typeNameOf, type ValueType } from '../schema/schema.js'

/** The Go type of a value that a patch is merged into; nothing where the kind's types are not known. */
export type MergeType = ValueType | undefined

/** How a strategic merge patch merges one field. */
export interface FieldMerge {
  /** The type of the field, of its elements when it is a list. */
  readonly type: MergeType
  /** Left out for lists that are replaced as a whole. */
  readonly list?: ListStrategy
  /** Whether an object is replaced as a whole, too. */
  readonly isReplaced: boolean
}

/** The type of a built-in kind's objects. */
export function mergeTypeOf(resource: Pick<Resource, 'group' | 'version' | 'kind'>): MergeType {
  const name = typeNameOf(resource)
  return name === undefined ? undefined : { form: 'struct', name }
}

/** What an object's type says about a field of it. Throws 500 when it says nothing, as the real server does. */
export function fieldMerge(type: MergeType, name: string): FieldMerge {
  if (type === undefined) return { type: undefined, isReplaced: false }
  const { merge, isReplaced, type: found } = fieldOf(type, name)
  const of = found.form === 'list' ? found.of : found
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
  const wanted = name.toLowerCase()
  return [...names].find((each) => each.toLowerCase() === wanted) ?? name
}
