/** A duration for people; a dash where there is none. */
export function formatMs(durationMs: number | null): string {
  if (durationMs === null) return '–'
  if (durationMs < 1) return `${durationMs.toFixed(1)} ms`
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`
  if (durationMs < 120_000) return `${(durationMs / 1000).toFixed(1)} s`
  return durationMs < 7_200_000
    ? `${Math.round(durationMs / 60_000)} min`
    : `${Math.round(durationMs / 3_600_000)} h`
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The time of the day, where the page is read, with the date if it is not that of `nowMs`: `27 Nov 14:03:22.123`. */
export function formatTime(atMs: number, nowMs = Date.now()): string {
  const date = new Date(atMs)
  const digits = (value: number, length = 2) => String(value).padStart(length, '0')
  const time = `${digits(date.getHours())}:${digits(date.getMinutes())}:${digits(date.getSeconds())}.${digits(date.getMilliseconds(), 3)}`
  if (date.toDateString() === new Date(nowMs).toDateString()) return time
  return `${date.getDate()} ${months[date.getMonth()]} ${time}`
}

/** `12.0 s ago`; `now` for less than a second, and for a clock that is ahead of this one. */
export function formatAgo(atMs: number, nowMs = Date.now()): string {
  const sinceMs = nowMs - atMs
  return sinceMs < 1000 ? 'now' : `${formatMs(sinceMs)} ago`
}

/** Like {@link formatAgo}, for a time that may lie ahead: `in 12.0 s`. */
export function formatIn(atMs: number, nowMs = Date.now()): string {
  return atMs - nowMs < 1000 ? formatAgo(atMs, nowMs) : `in ${formatMs(atMs - nowMs)}`
}

/** `namespace/name`, or `name` alone. */
export function formatKey({ namespace, name }: { namespace: string; name: string }): string {
  return namespace === '' ? name : `${namespace}/${name}`
}

/** `success 12, error 1`, or `none`. */
export function formatCounts(counts: Readonly<Record<string, number>>): string {
  const texts = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
  return texts.length > 0 ? texts.join(', ') : 'none'
}
