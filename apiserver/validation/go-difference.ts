import upperFirst from 'lodash/upperFirst.js'
import { jsonEqual, stringifyJson } from '../../sdk/engine/kube/json.js'

/**
 * The members that differ between two objects, in the form of a unified difference of JSON. A kube-apiserver compares
 * the texts of its own types, with all their members, so its line numbers and its context are others.
 */
export function goDifference(old: object, now: object): string {
  const [before, after] = [old, now] as [Record<string, unknown>, Record<string, unknown>]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => !jsonEqual(before[name], after[name]))
  const removed = changed.flatMap((name) => changedLine('-', name, before[name]))
  const added = changed.flatMap((name) => changedLine('+', name, after[name]))
  return [`@@ -1,${removed.length} +1,${added.length} @@`, ...removed, ...added, ''].join('\n')
}

const changedLine = (sign: string, name: string, value: unknown) =>
  value === undefined ? [] : [`${sign} "${upperFirst(name)}": ${stringifyJson(value)},`]
