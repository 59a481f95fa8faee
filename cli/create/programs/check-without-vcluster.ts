import { UsageError } from '../../terminal/usage-error.js'
import type { CreateArguments } from './program-kind.js'

/** Throws `UsageError` for flags that only plugins of a vcluster have. */
export function checkWithoutVCluster({ kind, direction, vclusterVersion }: CreateArguments): void {
  if (!direction && !vclusterVersion) return
  const flag = direction ? '--direction' : '--vcluster-version'
  throw new UsageError(
    `${flag} is for plugins that copy objects; remove it, because --kind ${kind} needs no vcluster`,
  )
}
