import { PluginError } from '../../sdk/engine/kube/error.js'

/** Time limit for each wait of `--once`, in milliseconds. */
export const onceLimitMs = 30_000

/** Time limit for the samples before commands to try are shown, without `once`, in milliseconds. */
export const hintsLimitMs = 3000

/** The `PluginError` `NOT_MIRRORED` for a wait of `--once` that took too long; `error` is the last of the object. */
export const notMirroredError = (problem: string, error?: string) =>
  new PluginError('NOT_MIRRORED', `${problem} ${withinLimit}${cause('plugin', error)}`)

/**
 * The `PluginError` `NOT_READY` for an object of an operator or a Cluster that took too long with `--once`. Without an
 * error of the object, its state explains it.
 */
export const notReadyError = (problem: string, error?: string, state = '') => {
  const explained = error === undefined && state !== '' ? `; its state is: ${state}` : ''
  return new PluginError('NOT_READY', `${problem} ${withinLimit}${explained}${cause('program', error)}`)
}

const cause = (program: string, error?: string) =>
  error === undefined
    ? `; see the ${program}'s log with --verbose`
    : `: ${error.replace(/\.$/, '')}; see the ${program}'s whole log with --verbose`

const withinLimit = `within ${onceLimitMs / 1000} s`
