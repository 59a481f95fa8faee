import { UsageError } from '../terminal/usage-error.js'

/** Properties of a vcluster release that matter to plugins. */
export interface VClusterRelease {
  /** The chart's version: `0.36.1`. */
  version: string
  /** The format of the chart's values, which vcluster 0.20 changed. */
  chart: 'before 0.20' | 'since 0.20'
  /** How the vcluster translates label keys on the host: since 0.21 only reserved keys. */
  labelMode: 'hashed' | 'reserved'
  /** Whether the vcluster runs plugins in its own container. */
  runsPlugins: boolean
}

/** The default release. */
export const defaultRelease = '0.36.1'

/** Reads `0.36.1`, `v0.19` or `0.20.0-beta.1`. Throws `UsageError` for other text, and for releases without plugins. */
export function parseRelease(text: string): VClusterRelease {
  const [, minor = '', patch = '0'] = /^v?0\.(\d+)(?:\.(\d+))?(?:-.*)?$/.exec(text) ?? []
  if (minor === '')
    throw new UsageError(
      `--vcluster-version must be a release such as ${defaultRelease}, got ${JSON.stringify(text)}`,
    )
  const release = Number(minor) * 1000 + Number(patch)
  if (release < 9001)
    throw new UsageError(`vcluster ${text} does not support these plugins; use 0.9.1 or later`)
  return {
    version: text.replace(/^v/, ''),
    chart: release < 20_000 ? 'before 0.20' : 'since 0.20',
    labelMode: release < 21_000 ? 'hashed' : 'reserved',
    runsPlugins: release >= 19_000,
  }
}
