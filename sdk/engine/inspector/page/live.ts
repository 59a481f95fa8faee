import { useEffect, useState } from 'preact/hooks'
import type { Overview } from '../model.js'
import type { RecentRun } from '../work-history.js'

/** How long until a stream that the program refused is requested again, in milliseconds. */
const retryMs = 2000
/** The maximum number of rows of the feed. */
const maxFeedRows = 300

/** Runs of one key with the same result, one after the other. */
export interface FeedRow extends RecentRun {
  readonly id: number
  readonly times: number
}

/** The state of the program as the page knows it, by its live stream. */
export interface Live {
  readonly status: 'connecting' | 'live' | 'not connected, trying again'
  /** Undefined until the stream has sent the first one. */
  readonly overview: Overview | undefined
  /** The latest first. */
  readonly feed: readonly FeedRow[]
  /** The number of runs that have ended since the page was opened. It grows whenever runs have ended. */
  readonly endedRuns: number
}

let live: Live = { status: 'connecting', overview: undefined, feed: [], endedRuns: 0 }
let nextRowId = 0
const listeners = new Set<(live: Live) => void>()

function updateLive(part: Partial<Live>): void {
  live = { ...live, ...part }
  for (const listener of listeners) listener(live)
}

/** Receives the live stream of the program until the page is closed. `app.tsx` calls it once. */
export function listen(): void {
  const source = new EventSource('api/live')
  // The first runs of a stream may be those that the page has already.
  let knownMs = 0
  source.addEventListener('open', () => {
    knownMs = live.feed[0]?.atMs ?? 0
  })
  source.addEventListener('overview', ({ data }) =>
    updateLive({ status: 'live', overview: JSON.parse(data) }),
  )
  source.addEventListener('runs', ({ data }) => {
    const runs = (JSON.parse(data) as RecentRun[]).filter(({ atMs }) => atMs > knownMs)
    knownMs = 0
    updateLive({ feed: withRuns(live.feed, runs), endedRuns: live.endedRuns + runs.length })
  })
  source.addEventListener('error', () => {
    updateLive({ status: 'not connected, trying again' })
    // A browser tries again by itself only where the connection broke.
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, retryMs)
  })
}

/** The feed with more runs. Runs of one key with the same result, one after the other, share a row. */
function withRuns(feed: readonly FeedRow[], runs: readonly RecentRun[]): FeedRow[] {
  const next = [...feed]
  for (const run of runs) {
    const [last] = next
    if (last && isSameOutcome(last, run)) next[0] = { ...last, atMs: run.atMs, times: last.times + 1 }
    else next.unshift({ ...run, times: 1, id: nextRowId++ })
  }
  return next.slice(0, maxFeedRows)
}

const isSameOutcome = (one: RecentRun, other: RecentRun) =>
  one.syncer === other.syncer &&
  one.namespace === other.namespace &&
  one.name === other.name &&
  one.result === other.result

/** The live data. The component is drawn again when it changes. */
export function useLive(): Live {
  const [current, setCurrent] = useState(live)
  useEffect(() => {
    listeners.add(setCurrent)
    setCurrent(live)
    return () => {
      listeners.delete(setCurrent)
    }
  }, [])
  return current
}
