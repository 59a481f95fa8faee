import { jsonEqual } from '../json.js'
import { isJsonObject, type JsonObject, memberOf } from '../json-object.js'

/** A place in which two JSON values differ. A missing `was` or `value` means that the place is absent. */
export interface JsonDifference {
  /** The names of members and the indices of lists that lead to the place. */
  readonly path: readonly (string | number)[]
  readonly was?: unknown
  readonly value?: unknown
}

/** How {@link differences} compares. */
export interface DifferencesOptions {
  /**
   * Whether lists are compared item by item: never (`whole`, the default), if they have as many items (`sameLength`),
   * or always (`aligned`). There, items that are equal at the start and at the end of both lists stay; items between
   * these are changed in place, then added, or removed from the back.
   */
  readonly lists?: 'whole' | 'sameLength' | 'aligned'
  /** The depth of the comparison; a deeper value is compared as a whole. Default: unlimited. */
  readonly maxDepth?: number
  /** Whether null is the same as absent, because a server does not store it; default false. */
  readonly nullIsAbsent?: boolean
  /** The number of differences after which the comparison ends. Default: unlimited. */
  readonly maxCount?: number
}

/** A path as a linked list from its last name to its first, because an array would be copied for each member. */
interface Step {
  readonly name: string | number
  readonly above: Step | undefined
  readonly depth: number
}

/** The places to change in `from` to get `to`, in an order in which they can be changed. */
export function differences(from: unknown, to: unknown, options: DifferencesOptions = {}): JsonDifference[] {
  const comparison = new Comparison(options)
  comparison.compare(from, to, undefined)
  return comparison.found
}

class Comparison {
  readonly found: JsonDifference[] = []
  readonly #lists: 'whole' | 'sameLength' | 'aligned'
  readonly #maxDepth: number
  readonly #maxCount: number
  readonly #nullIsAbsent: boolean

  constructor({
    lists = 'whole',
    maxDepth = Number.POSITIVE_INFINITY,
    maxCount = Number.POSITIVE_INFINITY,
    nullIsAbsent = false,
  }: DifferencesOptions) {
    this.#lists = lists
    this.#maxDepth = maxDepth
    this.#maxCount = maxCount
    this.#nullIsAbsent = nullIsAbsent
  }

  compare(from: unknown, to: unknown, step: Step | undefined): void {
    if (
      from === to ||
      (this.#nullIsAbsent && isNull(from) && isNull(to)) ||
      this.found.length >= this.#maxCount
    )
      return
    const isDeep = (step?.depth ?? 0) >= this.#maxDepth
    if (!isDeep && isJsonObject(from) && isJsonObject(to)) this.#compareMembers(from, to, step)
    else if (!isDeep && Array.isArray(from) && Array.isArray(to) && this.#isByItem(from, to))
      this.#compareItems(from, to, step)
    else if (!jsonEqual(from, to)) this.#add(step, from, to)
  }

  #compareMembers(from: JsonObject, to: JsonObject, above: Step | undefined): void {
    for (const name of Object.keys(from)) this.compare(from[name], memberOf(to, name), below(above, name))
    for (const name of Object.keys(to))
      if (!Object.hasOwn(from, name)) this.compare(undefined, to[name], below(above, name))
  }

  #isByItem(from: readonly unknown[], to: readonly unknown[]): boolean {
    return this.#lists === 'aligned' || (this.#lists === 'sameLength' && from.length === to.length)
  }

  #compareItems(from: readonly unknown[], to: readonly unknown[], above: Step | undefined): void {
    const start = equalAtStart(from, to)
    const end = equalAtEnd(from, to, Math.min(from.length, to.length) - start)
    const [fromEnd, toEnd] = [from.length - end, to.length - end]
    const commonEnd = Math.min(fromEnd, toEnd)
    for (let index = start; index < commonEnd; index++)
      this.compare(from[index] ?? null, to[index] ?? null, below(above, index))
    for (let index = commonEnd; index < toEnd; index++)
      this.#add(below(above, index), undefined, to[index] ?? null)
    for (let index = fromEnd - 1; index >= commonEnd; index--)
      this.#add(below(above, index), from[index] ?? null, undefined)
  }

  #add(step: Step | undefined, was: unknown, value: unknown): void {
    if (this.found.length >= this.#maxCount) return
    this.found.push({
      path: pathOf(step),
      ...(was !== undefined && { was }),
      ...(value !== undefined && { value }),
    })
  }
}

const isNull = (value: unknown) => value === null || value === undefined

const below = (above: Step | undefined, name: string | number): Step => ({
  name,
  above,
  depth: (above?.depth ?? 0) + 1,
})

function pathOf(last: Step | undefined): (string | number)[] {
  const path: (string | number)[] = []
  for (let step = last; step; step = step.above) path.push(step.name)
  return path.reverse()
}

function equalAtStart(from: readonly unknown[], to: readonly unknown[]): number {
  const first = from.findIndex((item, index) => index >= to.length || !jsonEqual(item, to[index]))
  return first === -1 ? from.length : first
}

function equalAtEnd(from: readonly unknown[], to: readonly unknown[], max: number): number {
  let equal = 0
  while (equal < max && jsonEqual(from.at(-1 - equal), to.at(-1 - equal))) equal++
  return equal
}
