import { cloneJson } from '../../engine/kube/json.js'
import type { JsonObject } from '../chart/json-object.js'
import { setValue } from './set-value.js'
import { isPrefix, type ValuePath } from './value-path.js'

/** A value that the program sets, whatever the custom resource says. */
export interface ValueOverride {
  /** The key as it was written, for messages. */
  readonly key: string
  readonly path: ValuePath
  readonly value: unknown
}

/** Values with overrides, set in their order; the given values stay as they are. */
export function withOverrides(values: JsonObject, overrides: readonly ValueOverride[]): JsonObject {
  const result = cloneJson(values)
  for (const { path, value } of overrides) setValue(result, path, cloneJson(value))
  return result
}

/** Pairs of keys of which one sets a part of the other, so that their order would decide. */
export function overlaps(overrides: readonly Pick<ValueOverride, 'key' | 'path'>[]): [string, string][] {
  const sorted = [...overrides].sort((a, b) => comparePaths(a.path, b.path))
  // In this order, everything below a path follows it at once.
  return sorted.flatMap((override, index): [string, string][] => {
    const previous = sorted[index - 1]
    return previous && isPrefix(previous.path, override.path) ? [[previous.key, override.key]] : []
  })
}

function comparePaths(a: ValuePath, b: ValuePath): number {
  const firstDifference = a.findIndex((part, index) => part !== b[index])
  if (firstDifference < 0) return a.length - b.length
  const [left, right] = [a[firstDifference], b[firstDifference]]
  if (right === undefined) return 1
  const [leftText, rightText] = [left, right].map((part) => `${typeof part} ${part}`) as [string, string]
  return leftText < rightText ? -1 : 1
}
