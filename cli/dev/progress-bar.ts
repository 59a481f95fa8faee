import { progressText } from '../../sdk/engine/manager/progress-text.js'
import type { ProgressView } from '../../sdk/engine/manager/progress-view.js'

const barWidth = 30

/** The progress as a bar, or as text if the total is unknown. */
export function barOf(progress: ProgressView): string {
  const { done, total } = progress
  if (total === null) return progressText(progress)
  const filled = Math.min(barWidth, Math.floor((barWidth * done) / Math.max(total, 1)))
  return `${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}  ${progressText(progress)}`
}
