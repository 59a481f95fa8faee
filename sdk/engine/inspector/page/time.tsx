import { formatAgo, formatTime } from './format.js'

/** A time of the day with its date if it is not today's, and how long ago it was. */
export function Time({ atMs }: { atMs: number }) {
  const iso = new Date(atMs).toISOString()
  return (
    <time dateTime={iso} title={iso}>
      {formatTime(atMs)} <span class="soft">{formatAgo(atMs)}</span>
    </time>
  )
}
