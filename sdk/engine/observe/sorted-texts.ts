/** The index of the first sorted text that does not come before the rest of a message. */
interface InsertionPoint {
  readonly index: number
  /** How many characters the rest has in common with the text before the index. */
  readonly commonBefore: number
  /** How many characters it has in common with the text at the index. */
  readonly commonAfter: number
}

/**
 * Finds texts at a position of a message. Users choose their number, their length and what they have in common, so each
 * character of the message is compared about once for a position. The texts are sorted, and are searched by halves: the
 * search knows how much each text has in common with the two bounds that it can meet at that text.
 */
export class SortedTexts {
  readonly #texts: readonly string[]
  /** For each text, the index of the longest other text that it begins with; -1 if there is none. */
  readonly #prefixes: Int32Array
  /** For each text, how many characters it has in common with the lower and the upper bound of the search. */
  readonly #commonLower: Int32Array
  readonly #commonUpper: Int32Array

  constructor(texts: Iterable<string>) {
    this.#texts = [...texts].sort()
    this.#prefixes = prefixesOf(this.#texts)
    this.#commonLower = new Int32Array(this.#texts.length)
    this.#commonUpper = new Int32Array(this.#texts.length)
    this.#fillCommon(0, this.#texts.length)
  }

  /** Returns how much the texts before and at the ends of a range have in common. */
  #fillCommon(from: number, to: number): number {
    if (from === to) return commonLength(this.#texts[from - 1] ?? '', this.#texts[from] ?? '')
    const middle = (from + to) >> 1
    const lower = this.#fillCommon(from, middle)
    const upper = this.#fillCommon(middle + 1, to)
    this.#commonLower[middle] = lower
    this.#commonUpper[middle] = upper
    return Math.min(lower, upper)
  }

  /**
   * The length of the longest text at a position of a message, also if only its beginning is there because the message
   * ends; 0 if there is none.
   */
  lengthAt(message: string, position: number, ignored: ReadonlySet<string>): number {
    const point = this.#find(message, position)
    const restLength = message.length - position
    if (point.commonAfter === restLength && this.#begins(point.index, message.slice(position), ignored))
      return restLength
    const isThere = (text: string) => text.length <= point.commonBefore && !ignored.has(text)
    let index = point.index - 1
    while (index >= 0 && !isThere(this.#texts[index] ?? '')) index = this.#prefixes[index] ?? -1
    return this.#texts[index]?.length ?? 0
  }

  /** Whether a text from an index on begins with the rest of a message. */
  #begins(index: number, rest: string, ignored: ReadonlySet<string>): boolean {
    for (let at = index; this.#texts[at]?.startsWith(rest); at++)
      if (!ignored.has(this.#texts[at] ?? '')) return true
    return false
  }

  #find(message: string, position: number): InsertionPoint {
    let [from, to] = [0, this.#texts.length]
    let [commonBefore, commonAfter] = [0, 0]
    while (from < to) {
      const middle = (from + to) >> 1
      const isLowerNearer = commonBefore >= commonAfter
      const shared = (isLowerNearer ? this.#commonLower : this.#commonUpper)[middle] ?? 0
      let common = Math.max(commonBefore, commonAfter)
      // A text that is more like the nearer bound than the message is on its side, one that is less so on the other.
      let isBefore = shared > common === isLowerNearer
      if (shared < common) common = shared
      else if (shared === common) {
        const text = this.#texts[middle] ?? ''
        common = commonLength(text, message, common, position)
        isBefore = isLess(text, message, common, position)
      }
      if (isBefore) [from, commonBefore] = [middle + 1, common]
      else [to, commonAfter] = [middle, common]
    }
    return { index: from, commonBefore, commonAfter }
  }
}

/** How many characters a text and a message at a position have in common, at least `from`. */
function commonLength(text: string, message: string, from = 0, position = 0): number {
  let length = from
  while (length < text.length && text.charCodeAt(length) === message.charCodeAt(position + length)) length++
  return length
}

/** Whether a text comes before a message at a position. Beyond its end, `charCodeAt` is NaN, which is never greater. */
const isLess = (text: string, message: string, common: number, position: number) =>
  common === text.length
    ? position + common < message.length
    : text.charCodeAt(common) < message.charCodeAt(position + common)

function prefixesOf(texts: readonly string[]): Int32Array {
  const prefixes = new Int32Array(texts.length)
  for (const [index, text] of texts.entries()) {
    let prefix = index - 1
    while (prefix >= 0 && !text.startsWith(texts[prefix] ?? '')) prefix = prefixes[prefix] ?? -1
    prefixes[index] = prefix
  }
  return prefixes
}
