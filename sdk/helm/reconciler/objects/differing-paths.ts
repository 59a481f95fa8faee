import { isJsonObject } from '../../../engine/kube/json-object.js'
import type { ValuePath } from '../../values/value-path.js'

/**
 * The paths at which a live object differs from an intended one. Fields that the intended object leaves out are not
 * compared; nor are nulls, which an API server does not store.
 */
export function differingPaths(intended: unknown, live: unknown, path: ValuePath = []): ValuePath[] {
  if (intended === null || intended === undefined) return []
  if (Array.isArray(intended)) return listDifferences(intended, live, path)
  if (!isJsonObject(intended)) return isEqualScalar(intended, live) ? [] : [path]
  if (!isJsonObject(live)) return Object.keys(intended).length === 0 && live === undefined ? [] : [path]
  return Object.entries(intended).flatMap(([name, value]) =>
    differingPaths(value, Object.hasOwn(live, name) ? live[name] : undefined, [...path, name]),
  )
}

function listDifferences(intended: readonly unknown[], live: unknown, path: ValuePath): ValuePath[] {
  if (!Array.isArray(live)) return intended.length === 0 && live === undefined ? [] : [path]
  if (live.length !== intended.length) return [path]
  return intended.flatMap((value, index) => differingPaths(value, live[index], [...path, index]))
}

/** A server may send a number as a `bigint`. */
const isEqualScalar = (intended: unknown, live: unknown) =>
  intended === live || (isNumber(intended) && isNumber(live) && String(intended) === String(live))

const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint'
