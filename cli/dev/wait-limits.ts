import { PluginError } from '../../sdk/engine/kube/error.js'
import { moreTime, readLimit } from '../program/time-limit.js'

const limitOfWaits = { variable: 'VCLUSTER_PLUGIN_READY_TIMEOUT', standard: 30 }

/**
 * The time limit for each wait of `--once`, in milliseconds. `VCLUSTER_PLUGIN_READY_TIMEOUT` sets another one in
 * seconds, for slow machines. Throws `UsageError` unless that is a whole number.
 */
export const onceLimitMs = (): number => onceLimit() * 1000

const onceLimit = () => readLimit(limitOfWaits, process.env)

/** Time limit for the samples before commands to try are shown, without `once`, in milliseconds. */
export const hintsLimitMs = 3000

/** The `PluginError` `NOT_MIRRORED` for a wait of `--once` that took too long; `error` is the last of the object. */
export const notMirroredError = (problem: string, error?: string) =>
  new PluginError('NOT_MIRRORED', `${problem} ${withinLimit()}${cause('plugin', error)}`)

/**
 * The `PluginError` `NOT_READY` for an object of an operator or a Cluster that took too long with `--once`. Without an
 * error of the object, its state explains it.
 */
export const notReadyError = (problem: string, error?: string, state = '') => {
  const explained = error === undefined && state !== '' ? `; its state is: ${state}` : ''
  return new PluginError('NOT_READY', `${problem} ${withinLimit()}${explained}${cause('program', error)}`)
}

const cause = (program: string, error?: string) =>
  error === undefined
    ? `; see the ${program}'s log with --verbose; ${moreTime(limitOfWaits, onceLimit())}`
    : `: ${error.replace(/\.$/, '')}; see the ${program}'s whole log with --verbose`

const withinLimit = () => `within ${onceLimit()} s`
