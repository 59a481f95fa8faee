import { differences, type JsonDifference } from './differences.js'
import type { PatchOperation } from './operation.js'
import { formatPointer } from './pointer.js'

/**
 * The JSON Patch (RFC 6902) from one value to another; empty if they are equal. It uses `add`, `remove` and `replace`
 * only: parents come before children, and items of lists are changed by their index. A member that is `undefined`
 * counts as absent.
 */
export function createPatch(from: unknown, to: unknown): PatchOperation[] {
  return patchOf(differences(from, to, { lists: 'aligned' }))
}

/** The JSON Patch that makes these differences. */
export function patchOf(differences: readonly JsonDifference[]): PatchOperation[] {
  return differences.map(operationOf)
}

function operationOf(difference: JsonDifference): PatchOperation {
  const path = formatPointer(difference.path)
  if (!('value' in difference)) return { op: 'remove', path }
  return { op: 'was' in difference ? 'replace' : 'add', path, value: difference.value }
}
