import type { KubeObject } from '../../sdk/engine/kube/object.js'

/** A field of an applied object with a scalar value. */
export interface IntendedLeaf {
  /** As a JSON pointer, `/spec/replicas`. */
  readonly path: string
  readonly value: string | number | boolean
}

/** Members that identify an object or its owner, which users do not edit. */
const identifyingMembers = ['name', 'namespace', 'uid', 'resourceVersion', 'ownerReferences']

/**
 * The leaves of an applied object, without those that identify an item of a list: a change of such a member replaces
 * the item. `managedFields` are those of the API server's answer. An item of a list is named by its position.
 */
export function intendedLeaves(
  { apiVersion: _, kind: __, metadata, ...content }: KubeObject & object,
  managedFields: readonly unknown[] = [],
): IntendedLeaf[] {
  const keptMetadata = Object.entries(metadata).filter(([name]) => !identifyingMembers.includes(name))
  const fields = managedFields.map((entry) => (entry as { fieldsV1?: unknown }).fieldsV1)
  return below({ ...content, metadata: Object.fromEntries(keptMetadata) }, { path: '', fields, keys: [] })
}

interface Position {
  path: string
  /** The entry of the field in each manager's `fieldsV1`. */
  fields: readonly unknown[]
  /** The members that identify the item, if the field is an item of a list. */
  keys: readonly string[]
}

function below(value: unknown, { path, fields, keys }: Position): IntendedLeaf[] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return [{ path, value }]
  if (Array.isArray(value))
    return value.flatMap((item, i) => below(item, { path: `${path}/${i}`, ...itemPosition(item, fields) }))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value)
    .filter(([name]) => !keys.includes(name))
    .flatMap(([name, member]) =>
      below(member, {
        path: `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        fields: fields.map(
          (managedFields) => (managedFields as Record<string, unknown> | undefined)?.[`f:${name}`],
        ),
        keys: [],
      }),
    )
}

/** The position of an item of a list with keys, such as `k:{"containerPort":80,"protocol":"TCP"}`. */
function itemPosition(item: unknown, fields: readonly unknown[]): Omit<Position, 'path'> {
  const elementKeys = fields.flatMap((managedFields) =>
    Object.entries((managedFields as Record<string, unknown> | undefined) ?? {}).filter(
      ([name]) => name.startsWith('k:') && hasKey(item, name),
    ),
  )
  const keys = elementKeys.flatMap(([name]) => Object.keys(JSON.parse(name.slice(2))))
  return { fields: elementKeys.map(([, below]) => below), keys }
}

function hasKey(item: unknown, name: string): boolean {
  const key = JSON.parse(name.slice(2)) as Record<string, unknown>
  const members = (item ?? {}) as Record<string, unknown>
  return Object.entries(key).every(
    ([member, value]) => members[member] === undefined || members[member] === value,
  )
}

/** Other values of the same type; the second one of a text suits quantities. */
export function otherValues(value: IntendedLeaf['value']): IntendedLeaf['value'][] {
  if (typeof value === 'number') return [value + 1]
  return typeof value === 'boolean' ? [!value] : [`${value}x`, `1${value}`]
}
