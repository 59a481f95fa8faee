import { isJsonObject, ownMember, setMember } from '../../sdk/engine/kube/json-object.js'

type Members = Record<string, unknown>

/**
 * Applies a JSON merge patch (RFC 7386). Neither argument is changed, and unchanged parts are shared. It uses
 * no recursion, because a patch may be deeper than the call stack.
 */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch
  const merged = copyOf(target)
  const steps: [merged: Members, patch: Members][] = [[merged, patch]]
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    const [object, changes] = step
    for (const [key, value] of Object.entries(changes)) {
      if (value === null) delete object[key]
      else if (!isJsonObject(value)) setMember(object, key, value)
      else {
        const copy = copyOf(ownMember(object, key))
        setMember(object, key, copy)
        steps.push([copy, value])
      }
    }
  }
  return merged
}

function copyOf(value: unknown): Members {
  return isJsonObject(value) ? { ...value } : {}
}
