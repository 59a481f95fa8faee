/**
 * Returns a function that calls `make` at its first call, and returns the same value at every call. It replaces
 * lodash's `once`, which would load many modules at the start of the server.
 */
export function once<Value>(make: () => Value): () => Value {
  let result: { readonly value: Value } | undefined
  return () => {
    result ??= { value: make() }
    return result.value
  }
}
