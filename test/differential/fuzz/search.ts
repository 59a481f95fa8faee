import { type ClassifiedDifference, classify } from './classify.js'
import { expectedDifference } from './expected-differences.js'
import { fuzzKinds } from './fuzz-kinds.js'
import type { FuzzSequence } from './fuzz-request.js'
import { type ComparedResponses, playInLockstep } from './lockstep.js'
import { Random } from './random.js'
import { randomSequence } from './random-request.js'
import type { Servers } from './servers.js'

/** Options of {@link search}. */
export interface SearchOptions {
  readonly seed: number
  readonly sequences: number
  /** The kinds to test; default all. */
  readonly kinds?: RegExp | undefined
  /** Whether namespaces may have Pod Security, limits, quotas, policies and webhooks; default false. */
  readonly hasAdmission?: boolean
  /** The time after which no further sequence begins, in milliseconds; default unlimited. */
  readonly withinMs?: number
}

/** Differences of one class. */
export interface DifferenceClass extends ClassifiedDifference {
  /** The number of occurrences. */
  count: number
  readonly example: ComparedResponses
  readonly sequence: FuzzSequence
  /** The reason of a known class; undefined if it is not known. */
  readonly expected: string | undefined
}

/** The result of a search. */
export interface SearchResult {
  readonly sequences: number
  readonly compared: number
  /** Sorted by severity, then by frequency. */
  readonly classes: readonly DifferenceClass[]
}

/** Runs random sequences on both servers, one after the other, and groups the differences into classes. */
export async function search(servers: Servers, options: SearchOptions): Promise<SearchResult> {
  const { seed, sequences, kinds = /./, hasAdmission, withinMs = Number.POSITIVE_INFINITY } = options
  const endMs = performance.now() + withinMs
  const chosen = fuzzKinds.filter(({ kind }) => kinds.test(kind))
  const classes = new Map<string, DifferenceClass>()
  let compared = 0
  let played = 0
  for (let at = 0; at < sequences && performance.now() < endMs; at++) {
    played++
    const sequence = randomSequence(chosen, new Random(seed * 1_000_003 + at), hasAdmission)
    const run = await playInLockstep(servers, sequence)
    compared += run.compared
    for (const difference of run.differences) count(classes, difference, sequence)
  }
  return { sequences: played, compared, classes: [...classes.values()].sort((a, b) => b.count - a.count) }
}

function count(
  classes: Map<string, DifferenceClass>,
  example: ComparedResponses,
  sequence: FuzzSequence,
): void {
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
