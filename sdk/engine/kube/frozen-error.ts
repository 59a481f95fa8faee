/** How V8 refuses to change a frozen object or list. */
const frozenWrite =
  /^Cannot (?:assign to read only property|add property|delete property|define property|redefine property)/

/**
 * Adds advice to the error of a write to a frozen object, and keeps its stack. Returns any other error unchanged.
 * `place` names the code that made the write: `controller configmap`.
 */
export function explainFrozen(error: unknown, place: string): unknown {
  if (!(error instanceof TypeError) || !frozenWrite.test(error.message)) return error
  const { message, stack = '' } = error
  const explained = new TypeError(`${message}. In ${place}: ${advice}`)
  explained.stack = stack.replace(message, () => explained.message)
  return explained
}

const advice =
  'the objects that the SDK hands out are frozen, because others read the same objects. Change a copy: ' +
  'structuredClone(object), or { ...object, data: { ...object.data, key: value } }'
