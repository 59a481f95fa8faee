import { UsageError } from '../../terminal/usage-error.js'
import type { CreateArguments } from './program-kind.js'

/** Throws `UsageError` for flags of charts without `--kind helm`. */
export function checkFlags({ kind, chart, api }: CreateArguments): void {
  if (kind === 'helm' || (chart === undefined && api === undefined)) return
  const flag = chart === undefined ? '--api' : '--chart'
  throw new UsageError(`${flag} is for programs with Helm charts; add --kind helm, or remove it`)
}
