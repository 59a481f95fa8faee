/**
 * The indexes of the values that repeat an earlier value. It takes linear time, so that a long list does not block the
 * server.
 */
export function repeatedIndexes(values: readonly unknown[]): ReadonlySet<number> {
  const known = new Set<unknown>()
  const repeated = new Set<number>()
  for (const [index, value] of values.entries()) {
    if (known.has(value)) repeated.add(index)
    known.add(value)
  }
  return repeated
}
