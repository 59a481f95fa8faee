import { cloneJson, jsonEqual } from '../../../engine/kube/json.js'
import type { Side } from '../../context/register-context.js'
import { type Fields, fieldAt, setField } from '../fields/field-paths.js'
import { type ConflictRule, decide, leavesOf } from './decide.js'

/** How the two sides of a field are merged. */
export interface MergeBothOptions {
  /**
   * The side whose change counts if both have changed the same field, or if it is not known which side has; default
   * `virtual`. A function is called for each such field.
   */
  onConflict?: ConflictRule
  /** Whether objects are merged member by member, so that changes of different members all count; default false. */
  merge?: boolean
}

/** The values of both sides, and the old values from when they were last in sync; without `old` they are unknown. */
export interface BothSides<V> {
  readonly virtual: V
  readonly host: V
  readonly old?: { readonly virtual: V; readonly host: V } | undefined
}

/**
 * Merges both sides of a value: a change that only one side has made goes to the other (`CopyBidirectional`
 * and, with `merge`, `MergeBidirectional` in `pkg/patcher/sync.go` @ vcluster v0.33.1). Nothing is mutated.
 *
 * @example
 * ```ts
 * const sides = { virtual: { size: 2 }, host: { size: 1 }, old: { virtual: { size: 1 }, host: { size: 1 } } }
 * const merged = mergeBoth(sides)
 * console.log(merged.host.size) // 2: only the virtual side has changed
 * ```
 */
export function mergeBoth<V>(
  { virtual, host, old }: BothSides<V>,
  { onConflict = 'virtual', merge = false }: MergeBothOptions = {},
): { virtual: V; host: V } {
  const now = { virtual, host }
  const unchanged: Record<Side, Fields> = { virtual: { value: virtual }, host: { value: host } }
  const copies: Partial<Record<Side, Fields>> = {}
  for (const leaf of leavesOf({ id: '', path: [], now, old }, merge)) {
    const { winner } = decide(leaf, onConflict, ({ now }) => jsonEqual(now.virtual, now.host))
    if (winner === undefined) continue
    const path = ['value', ...leaf.path]
    const loser = winner === 'host' ? 'virtual' : 'host'
    copies[loser] ??= cloneJson(unchanged[loser])
    setField(copies[loser], path, fieldAt(unchanged[winner], path))
  }
  const result = { ...unchanged, ...copies }
  return { virtual: result.virtual.value as V, host: result.host.value as V }
}
