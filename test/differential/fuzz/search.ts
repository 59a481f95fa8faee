import { type Classified, classify } from './classify.js'
import { expectedDifference } from './expected-differences.js'
import { fuzzKinds } from './fuzz-kinds.js'
import type { FuzzSequence } from './fuzz-request.js'
import { type Compared, playInLockstep } from './lockstep.js'
import { Random } from './random.js'
import { randomSequence } from './random-request.js'
import type { Servers } from './servers.js'

/** What {@link search} looks through. */
export interface SearchOptions {
  readonly seed: number
  readonly sequences: number
  /** Kinds to look at; all by default. */
  readonly kinds?: RegExp | undefined
}

/** Differences of one class. */
export interface DifferenceClass extends Classified {
  /** How often it was met. */
  count: number
  readonly example: Compared
  readonly sequence: FuzzSequence
  /** Why it is known; undefined when it is not. */
  readonly expected: string | undefined
}

/** What a search came to. */
export interface SearchResult {
  readonly sequences: number
  readonly compared: number
  /** The most frequent first, within each severity. */
  readonly classes: readonly DifferenceClass[]
}

/** Plays random sequences on both servers, one after the other, and sorts what differs into classes. */
export async function search(servers: Servers, options: SearchOptions): Promise<SearchResult> {
  const { seed, sequences, kinds = /./ } = options
  const chosen = fuzzKinds.filter(({ kind }) => kinds.test(kind))
  const classes = new Map<string, DifferenceClass>()
  let compared = 0
  for (let at = 0; at < sequences; at++) {
    const sequence = randomSequence(chosen, new Random(seed * 1_000_003 + at))
    const run = await playInLockstep(servers, sequence)
    compared += run.compared
    for (const difference of run.differences) count(classes, difference, sequence)
  }
  return { sequences, compared, classes: [...classes.values()].sort((a, b) => b.count - a.count) }
}

function count(classes: Map<string, DifferenceClass>, example: Compared, sequence: FuzzSequence): void {
  const classified = classify(example)
  const known = classes.get(classified.key)
  if (known !== undefined) known.count++
  else
    classes.set(classified.key, {
      ...classified,
      count: 1,
      example,
      sequence,
      expected: expectedDifference(classified),
    })
}
