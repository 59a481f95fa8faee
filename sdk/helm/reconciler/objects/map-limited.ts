/** The number of objects that are read at a time: a release may have thousands. */
const maxReads = 16

/** Calls a function for each item, for some at a time. Returns the results in the order of the items. */
export async function mapLimited<T, R>(items: readonly T[], read: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let start = 0; start < items.length; start += maxReads)
    results.push(...(await Promise.all(items.slice(start, start + maxReads).map(read))))
  return results
}
