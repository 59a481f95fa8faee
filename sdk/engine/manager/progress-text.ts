import type { ProgressView } from './progress-view.js'

/** The progress of the start in words: `synced 12,000 of 50,000 (3,100/s, 12 s left)`. */
export function progressText({ step, done, total, perSecond, leftMs }: ProgressView): string {
  const rate = perSecond === null ? [] : [`${formatNumber(perSecond)}/s`]
  const left = leftMs === null ? [] : [`${durationOf(leftMs)} left`]
  const about = [...rate, ...left].join(', ')
  const of = total === null ? '' : ` of ${formatNumber(total)}`
  return `${step} ${formatNumber(done)}${of}${about && ` (${about})`}`
}

function durationOf(ms: number): string {
  return ms < 120_000 ? `${formatNumber(ms / 1000)} s` : `${formatNumber(ms / 60_000)} min`
}

/**
 * Formats a number with commas between groups of three digits. The first `toLocaleString` of a process loads the data
 * of all languages.
 */
const formatNumber = (count: number) => String(Math.round(count)).replace(/\B(?=(?:\d{3})+$)/g, ',')
