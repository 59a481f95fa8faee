import { isObject } from '../base/object.js'

type Members = Record<string, unknown>

/**
 * Applies a JSON merge patch (RFC 7386). Neither argument is changed, and unchanged parts are shared. It uses
 * no recursion, because a patch may be deeper than the call stack.
 */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged = copyOf(target)
  const steps: [merged: Members, patch: Members][] = [[merged, patch]]
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    const [object, changes] = step
    for (const [key, value] of Object.entries(changes)) {
      if (value === null) delete object[key]
      else if (!isObject(value)) define(object, key, value)
      else steps.push([define(object, key, copyOf(Object.hasOwn(object, key) && object[key])), value])
    }
  }
  return merged
}

function copyOf(value: unknown): Members {
  return isObject(value) ? { ...value } : {}
}

/** Defines the member instead of assigning it, so that `__proto__` is an ordinary member. */
function define<V>(object: Members, key: string, value: V): V {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  return value
}
