import { formatAgo, formatIn, formatTime } from './format.js'

/**
 * A time of the day with its date if it is not today's, and how long ago it was; with `mayBeAhead` also in how long it
 * will be.
 */
export function Time({ atMs, mayBeAhead = false }: { atMs: number; mayBeAhead?: boolean }) {
  const iso = new Date(atMs).toISOString()
  return (
    <time dateTime={iso} title={iso}>
      {formatTime(atMs)} <span class="soft">{mayBeAhead ? formatIn(atMs) : formatAgo(atMs)}</span>
    </time>
  )
}
