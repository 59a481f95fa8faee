/**
 * Returns a function that calls `make` at its first call, and then returns the same value. A start of the server must
 * not load all of lodash that its own function needs.
 */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
