import { UsageError } from '../../terminal/usage-error.js'
import type { CreateArguments } from './program-kind.js'

/** Throws `UsageError` for flags of other kinds of programs. */
export function checkFlags({ kind, chart, api, repo, chartVersion }: CreateArguments): void {
  if (chart === undefined && (repo !== undefined || chartVersion !== undefined))
    throw new UsageError(
      `${repo === undefined ? '--chart-version' : '--repo'} is for the Helm chart that --chart names; add --chart, or remove it`,
    )
  if (kind === 'helm') return
  if (chart !== undefined)
    throw new UsageError('--chart is for programs with Helm charts; add --kind helm, or remove it')
  if (api !== undefined && kind !== 'operator')
    throw new UsageError(
      '--api is for programs that define a kind; add --kind operator or --kind helm, or remove it',
    )
}
