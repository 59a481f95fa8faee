import { useEffect, useState } from 'preact/hooks'
import type { Overview } from '../model.js'
import type { RecentRun } from '../work-history.js'

/** How long until a stream that the program refused is asked for again, in milliseconds. */
const againMs = 2000
/** The most rows of the feed. */
const maxFeed = 300

/** Runs of one key that ended alike, one after the other. */
export interface FeedRow extends RecentRun {
  readonly id: number
  readonly times: number
}

/** The news that the page has. */
export interface Live {
  readonly status: 'connecting' | 'live' | 'not connected, trying again'
  /** Undefined before the first news. */
  readonly overview: Overview | undefined
  /** The latest first. */
  readonly feed: readonly FeedRow[]
  /** Changes whenever runs have ended. */
  readonly ended: number
}

let live: Live = { status: 'connecting', overview: undefined, feed: [], ended: 0 }
let rows = 0
const listeners = new Set<(live: Live) => void>()

function change(part: Partial<Live>): void {
  live = { ...live, ...part }
  for (const listener of listeners) listener(live)
}

/** Follows the program until the page is closed. */
export function listen(): void {
  const source = new EventSource('api/live')
  // The first runs of a stream may be those that the page has already.
  let knownMs = 0
  source.addEventListener('open', () => {
    knownMs = live.feed[0]?.atMs ?? 0
  })
  source.addEventListener('overview', ({ data }) => change({ status: 'live', overview: JSON.parse(data) }))
  source.addEventListener('runs', ({ data }) => {
    const runs = (JSON.parse(data) as RecentRun[]).filter(({ atMs }) => atMs > knownMs)
    knownMs = 0
    change({ feed: withRuns(live.feed, runs), ended: live.ended + runs.length })
  })
  source.addEventListener('error', () => {
    change({ status: 'not connected, trying again' })
    // A browser tries again by itself only where the connection broke.
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, againMs)
  })
}

/** The feed with more runs; those of one key that end alike share a row. */
function withRuns(feed: readonly FeedRow[], runs: readonly RecentRun[]): FeedRow[] {
  const next = [...feed]
  for (const run of runs) {
    const [last] = next
    if (last && isAlike(last, run)) next[0] = { ...last, atMs: run.atMs, times: last.times + 1 }
    else next.unshift({ ...run, times: 1, id: rows++ })
  }
  return next.slice(0, maxFeed)
}

const isAlike = (one: RecentRun, other: RecentRun) =>
  one.syncer === other.syncer &&
  one.namespace === other.namespace &&
  one.name === other.name &&
  one.result === other.result

/** The news; the component is drawn again when there is more. */
export function useLive(): Live {
  const [seen, setSeen] = useState(live)
  useEffect(() => {
    listeners.add(setSeen)
    setSeen(live)
    return () => {
      listeners.delete(setSeen)
    }
  }, [])
  return seen
}
