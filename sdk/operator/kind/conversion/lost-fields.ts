import { jsonEqual } from '../../../kube/json.js'

/** A field that another version cannot hold. */
export interface LostField {
  readonly path: readonly string[]
  /** The value that comes back from the other version; left out if none does. */
  readonly was?: unknown
  /** The value that it had; left out if it had none. */
  readonly value?: unknown
}

type Members = Record<string, unknown>

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields of an object that came back differently from another version. Lists are compared as a whole. */
export function lostFields(original: unknown, back: unknown, path: readonly string[] = []): LostField[] {
  if (jsonEqual(original, back)) return []
  if (!isMembers(original) || !isMembers(back)) {
    return [
      { path, ...(back !== undefined && { was: back }), ...(original !== undefined && { value: original }) },
    ]
  }
  const names = new Set([...Object.keys(original), ...Object.keys(back)])
  return [...names].flatMap((name) => lostFields(own(original, name), own(back, name), [...path, name]))
}

const own = (members: Members, name: string) => (Object.hasOwn(members, name) ? members[name] : undefined)

/**
 * An object with lost fields put back. A field that was changed meanwhile in the other version keeps the change, and so does
 * one whose parent is gone.
 */
export function restoreFields(object: unknown, lost: readonly LostField[]): unknown {
  return lost.reduce(restoreField, object)
}

function restoreField(object: unknown, { path, was, value }: LostField): unknown {
  const [name, ...rest] = path
  if (name === undefined) return jsonEqual(object, was) ? value : object
  if (!isMembers(object)) return object
  const member = own(object, name)
  if (rest.length > 0 && member === undefined) return object
  const restored = restoreField(member, { path: rest, was, value })
  const others = Object.entries(object).filter(([other]) => other !== name)
  return Object.fromEntries(restored === undefined ? others : [...others, [name, restored]])
}
