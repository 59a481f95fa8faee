import upperFirst from 'lodash/upperFirst.js'
import { jsonEqual, stringifyJson } from '../../sdk/engine/kube/json.js'

/**
 * The members that differ between two values of a Go type, in a form like that of `cmp.Diff`. A kube-apiserver prints
 * them in Go's own types.
 */
export function goDifference(type: string, old: object, now: object): string {
  const [before, after] = [old, now] as [Record<string, unknown>, Record<string, unknown>]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => !jsonEqual(before[name], after[name]))
  const lines = changed.flatMap((name) => [
    ...changedLine('-', name, before[name]),
    ...changedLine('+', name, after[name]),
  ])
  return [`  ${type}{`, '  \t... // identical fields', ...lines, '  }', ''].join('\n')
}

const changedLine = (sign: string, name: string, value: unknown) =>
  value === undefined ? [] : [`${sign} \t${upperFirst(name)}: ${stringifyJson(value)},`]
