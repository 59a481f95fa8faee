import { jsonEqual } from '../../../engine/kube/json.js'
import { isJsonObject, memberOf } from '../../../engine/kube/json-object.js'
import type { Side } from '../../context/register-context.js'

/** The same field of both objects. */
export interface Sides {
  readonly virtual: unknown
  readonly host: unknown
}

/** A field that both sides have changed, each in its own way. */
export interface FieldConflict {
  /** The names of the members that lead to the field, such as `['spec', 'seats']`. */
  readonly path: readonly string[]
  readonly virtual: unknown
  readonly host: unknown
  /** The old value; `undefined` also if only a digest was kept. */
  readonly virtualOld?: unknown
  readonly hostOld?: unknown
}

/** The side whose change counts if both sides have changed a field, or if it is not known which side has. */
export type ConflictRule = Side | ((conflict: FieldConflict) => Side)

/** One field of an original and of its copy, which `decide` compares. */
export interface FieldOfBoth {
  /** The id under which the annotation of the copy records the field. */
  readonly id: string
  readonly path: readonly string[]
  /** The current values. */
  readonly now: Sides
  /** The values when both objects were last in sync; undefined if they are not known. */
  readonly old?: Sides | undefined
  /** The sides that have changed the field since then; undefined if that is not known. */
  readonly changed?: { readonly virtual: boolean; readonly host: boolean } | undefined
}

/** The side whose value a field gets; `undefined` if each side keeps its own. */
export interface Decision {
  /** The id of the remembered field in the annotation of the copy. */
  readonly id: string
  readonly path: readonly string[]
  readonly winner: Side | undefined
  readonly now: Sides
  /** Whether both sides have changed the field. */
  readonly isConflict: boolean
}

/** The depth to which members are compared separately; a deeper part is compared as one value. */
const maxMergeDepth = 32

/**
 * Yields the parts of a field that are decided separately: with `merges`, the members of objects that both sides have,
 * else the field as a whole. Called before {@link decide}.
 */
export function* leavesOf({ id, path, now, old }: FieldOfBoth, merges: boolean): Iterable<FieldOfBoth> {
  const { virtual, host } = now
  if (!merges || !old || !isJsonObject(virtual) || !isJsonObject(host) || path.length >= maxMergeDepth) {
    yield { id, path, now, old, changed: old && changesOf(now, old) }
    return
  }
  const fourObjects = [virtual, host, old.virtual, old.host]
  for (const name of new Set(
    fourObjects.flatMap((value) => (isJsonObject(value) ? Object.keys(value) : [])),
  )) {
    const leaf = { id, path: [...path, name], now: membersOf(now, name), old: membersOf(old, name) }
    yield* leavesOf(leaf, merges)
  }
}

/**
 * Decides which side wins a field: the only side that has changed it; otherwise the rule decides. `isAlike` says
 * whether two different values mean the same, such as translated names. `mergeBoth` and `syncBoth` call it for each
 * field.
 */
export function decide(
  leaf: FieldOfBoth,
  rule: ConflictRule,
  isAlike: (leaf: FieldOfBoth) => boolean,
): Decision {
  const { id, path, now, old, changed } = leaf
  if (changed && !(changed.virtual && changed.host))
    return { id, path, now, winner: onlySide(changed), isConflict: false }
  if (isAlike(leaf)) return { id, path, now, winner: undefined, isConflict: false }
  const conflict = { path, ...now, virtualOld: old?.virtual, hostOld: old?.host }
  const winner = typeof rule === 'function' ? rule(conflict) : rule
  return { id, path, now, winner, isConflict: changed !== undefined }
}

function onlySide(changed: { virtual: boolean; host: boolean }): Side | undefined {
  if (changed.virtual) return 'virtual'
  return changed.host ? 'host' : undefined
}

function changesOf(now: Sides, old: Sides): { virtual: boolean; host: boolean } {
  return { virtual: !jsonEqual(now.virtual, old.virtual), host: !jsonEqual(now.host, old.host) }
}

function membersOf({ virtual, host }: Sides, name: string): Sides {
  return { virtual: memberOf(virtual, name), host: memberOf(host, name) }
}
