/** How V8 refuses to change a frozen object or list. */
const frozenWrite =
  /^Cannot (?:assign to read only property|add property|delete property|define property|redefine property)/

/**
 * The error of a write to a frozen object, with what to do and the stack that it had; any other error as it is. `place`
 * says who made the write: `controller configmap`.
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
