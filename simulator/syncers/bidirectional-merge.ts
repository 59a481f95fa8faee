import { jsonEqual } from '../../sdk/engine/kube/json.js'
import type { StringMap } from './labels.js'

/**
 * A value that the users of both clusters may change: its present state, and its state after the last run.
 */
export interface BidirectionalStates<V> {
  virtualOld: V
  virtual: V
  hostOld: V
  host: V
}

/** The desired value in each cluster. */
export interface BothValues<V> {
  virtual: V
  host: V
}

/**
 * A change of the virtual object goes to the host, else a change of the copy goes to the virtual object, else each
 * keeps its own (`CopyBidirectional` in `pkg/util/translate/translate.go` @ vcluster v0.33.1).
 */
export function copyBidirectional<V>(states: BidirectionalStates<V>): BothValues<V> {
  const { virtualOld, virtual, hostOld, host } = states
  if (!jsonEqual(virtualOld ?? null, virtual ?? null)) return { virtual, host: virtual }
  return jsonEqual(hostOld ?? null, host ?? null) ? { virtual, host } : { virtual: host, host }
}

/** The translation of keys of one side for the other; `undefined` for a key that is not copied. */
export interface KeyTranslation {
  toHost(key: string): string | undefined
  toVirtual(key: string): string | undefined
}

/**
 * Merges labels and annotations in the same way, key by key: an addition, change or removal on one side is
 * repeated on the other (`LabelsBidirectionalUpdate` and `AnnotationsBidirectionalUpdate` in
 * `pkg/util/translate/labels.go` @ vcluster v0.33.1).
 */
export function mergeBidirectional(
  { virtualOld, virtual, hostOld, host }: BidirectionalStates<StringMap>,
  { toHost, toVirtual }: KeyTranslation,
): BothValues<StringMap> {
  if (!jsonEqual(virtualOld, virtual))
    return { virtual, host: withChanges(host, { from: virtualOld, to: virtual, keyOf: toHost }) }
  return { virtual: withChanges(virtual, { from: hostOld, to: host, keyOf: toVirtual }), host }
}

interface Changes {
  from: StringMap
  to: StringMap
  keyOf: (key: string) => string | undefined
}

/** A map with the changes from one map to another, under the translated keys. */
function withChanges(map: StringMap, { from, to, keyOf }: Changes): StringMap {
  const [before, after, changed] = [from, to, map].map((members) => new Map(Object.entries(members)))
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const value = after?.get(key)
    const target = before?.get(key) === value ? undefined : keyOf(key)
    if (target === undefined) continue
    if (value === undefined) changed?.delete(target)
    else changed?.set(target, value)
  }
  return Object.fromEntries(changed ?? [])
}
