const units = [
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
  ['y', 31_536_000],
] as const

/**
 * The time since a timestamp, as `kubectl get` shows it: `42s`, `3m4s`, `12m`, `5h3m`, `9d`. Follows
 * `HumanDuration` of k8s.io/apimachinery v0.36.3, pkg/util/duration.
 */
export function formatAge(since: string | null | undefined, now: Date): string {
  if (since === null || since === undefined || since === '') return '<unknown>'
  const seconds = Math.floor((now.getTime() - Date.parse(since)) / 1000)
  if (Number.isNaN(seconds) || seconds < -1) return '<invalid>'
  return formatDuration(Math.max(0, seconds))
}

/** Formats a duration in seconds like {@link formatAge}. */
export function formatDuration(seconds: number): string {
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 10) return formatUnits(seconds, 1)
  if (minutes < 180) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 8) return formatUnits(seconds, 2)
  if (hours < 48) return `${hours}h`
  const days = Math.floor(hours / 24)
  if (days < 8) return formatUnits(seconds, 3)
  if (days < 2 * 365) return `${days}d`
  const years = Math.floor(days / 365)
  return years < 8 ? formatUnits(seconds, 4) : `${years}y`
}

/** The unit at `index` and the rest in the next smaller one, if any. */
function formatUnits(seconds: number, index: number): string {
  const [unit, size] = units[index] ?? ['s', 1]
  const [lesserUnit, lesserSize] = units[index - 1] ?? ['s', 1]
  const lesser = Math.floor((seconds % size) / lesserSize)
  const wholeText = `${Math.floor(seconds / size)}${unit}`
  return lesser === 0 ? wholeText : `${wholeText}${lesser}${lesserUnit}`
}
