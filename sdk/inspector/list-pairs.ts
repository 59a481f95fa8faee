import { formatKey, type Key } from '../kube/key.js'
import { TimeSlice } from '../time/time-slice.js'
import type { Inspected } from './inspected.js'
import { type PairPage, type PairState, type PairView, pairStates } from './model.js'
import { pairView } from './pair-view.js'
import type { Recorder } from './recorder.js'

/** Which pairs are asked for. */
export interface ListPairsOptions {
  recorder: Recorder
  /** Only this syncer's; default all. */
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

/** Searches the pairs of every syncer, and yields to the plugin's own work meanwhile. */
export async function listPairs(inspected: Inspected, options: ListPairsOptions): Promise<PairPage> {
  const { offset = 0, limit = 100, state } = options
  const counts = Object.fromEntries(pairStates.map((one) => [one, 0])) as Record<PairState, number>
  const pairs: PairView[] = []
  let matched = 0
  for await (const view of fittingPairs(inspected, options)) {
    counts[view.state]++
    if (state !== undefined && view.state !== state) continue
    if (matched >= offset && pairs.length < limit) pairs.push(view)
    matched++
  }
  return { pairs, counts, matched }
}

async function* fittingPairs(inspected: Inspected, options: ListPairsOptions): AsyncIterable<PairView> {
  const { recorder, text = '' } = options
  const { ctx } = inspected
  const slice = new TimeSlice(ctx.clock)
  const wanted = text.toLowerCase()
  for (const syncer of inspected.syncers()) {
    if (options.syncer !== undefined && syncer.name !== options.syncer) continue
    for (const key of keysOf(syncer.knownKeys())) {
      if (slice.isOver) await slice.pause()
      const { view } = pairView(syncer, key, { ctx, recorder })
      if (`${formatKey(key)} ${view.host ?? ''}`.toLowerCase().includes(wanted)) yield view
    }
  }
}

/** Each once, by name. */
function keysOf(known: Iterable<Key>): Key[] {
  const keys = new Map<string, Key>()
  for (const key of known) keys.set(formatKey(key), key)
  return [...keys.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key)
}
