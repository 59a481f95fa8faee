/** A part of an exploration, for example the second of three: `{ index: 2, of: 3 }`. */
export interface ExplorationPart {
  /** 1 to `of`. */
  readonly index: number
  readonly of: number
}

/**
 * Every n-th item. The place moves by one with each n items: with three phases of a crash for each write, a third of
 * the crashes has all phases.
 */
export function itemsOfPart<T>(items: readonly T[], { index, of }: ExplorationPart): T[] {
  return items.filter((_item, at) => (at + Math.floor(at / of)) % of === index - 1)
}

/** Throws for a part that does not exist, whose exploration would have no run. */
export function checkPart({ index, of }: ExplorationPart): void {
  if (Number.isInteger(of) && Number.isInteger(index) && index >= 1 && index <= of) return
  const text = `{ index: ${index}, of: ${of} }`
  throw new TypeError(
    `exhaust: part must be for example { index: 1, of: 3 }, with whole numbers, got ${text}`,
  )
}
