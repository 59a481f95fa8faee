import { formatKey, type Key } from '../kube/key.js'
import { TimeSlice } from '../time/time-slice.js'
import type { InspectableProgram } from './inspected.js'
import { type PairPage, type PairState, type PairView, pairStates } from './pair-model.js'
import type { Recorder } from './recorder.js'
import { workersOf } from './workers-of.js'

/** Selects the pairs of a list. */
export interface ListPairsOptions {
  recorder: Recorder
  /** Only those of this syncer or controller; default all. */
  syncer?: string
  /** Only those with this text in their name, their namespace or that of their host object; default all. */
  text?: string
  /** Only those in this state; default all. */
  state?: PairState
  /** How many are left out at the beginning; default 0. */
  offset?: number
  /** How many are answered at most; default 100. */
  limit?: number
}

/** Searches the keys of every syncer and controller, and yields to the program's own work meanwhile. */
export async function listPairs(inspected: InspectableProgram, options: ListPairsOptions): Promise<PairPage> {
  const { offset = 0, limit = 100, state } = options
  const counts = Object.fromEntries(pairStates.map((one) => [one, 0])) as Record<PairState, number>
  const byState = new Map<PairState, PairView[]>(pairStates.map((one) => [one, []]))
  let matched = 0
  for await (const view of fittingPairs(inspected, options)) {
    counts[view.state]++
    if (state !== undefined && view.state !== state) continue
    matched++
    const viewsOfState = byState.get(view.state)
    if (viewsOfState && viewsOfState.length < offset + limit) viewsOfState.push(view)
  }
  // In the order of the states, so those first that need a person.
  const pairs = [...byState.values()].flat().slice(offset, offset + limit)
  return { pairs, counts, matched }
}

async function* fittingPairs(
  inspected: InspectableProgram,
  options: ListPairsOptions,
): AsyncIterable<PairView> {
  const { text = '' } = options
  const slice = new TimeSlice(inspected.clock)
  const wanted = text.toLowerCase()
  for (const { name, knownKeys, viewOf } of workersOf(inspected, options.recorder)) {
    if (options.syncer !== undefined && name !== options.syncer) continue
    for (const key of keysOf(knownKeys())) {
      if (slice.isOver) await slice.pause()
      const view = viewOf(key)
      if (`${formatKey(key)} ${view.host ?? ''}`.toLowerCase().includes(wanted)) yield view
    }
  }
}

/** Each once, by name. */
function keysOf(candidates: Iterable<Key>): Key[] {
  const keys = new Map<string, Key>()
  for (const key of candidates) keys.set(formatKey(key), key)
  return [...keys.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key)
}
