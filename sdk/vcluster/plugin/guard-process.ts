import { describes } from '../../engine/manager/describes.js'
import { systemClock } from '../../engine/time/clock.js'
import { StandardStreams } from '../remote/v2/standard-streams.js'
import { modeOf } from './mode.js'

let guarded: StandardStreams | undefined

/**
 * Prepares a process that a vcluster process has started: takes over its standard streams, because a line on standard
 * output before the handshake ends vcluster's start, and logs errors that no code catches. Does so once per process and
 * returns the same streams afterwards; returns undefined, and changes nothing, in the other modes.
 */
export function guardProcess(env: Readonly<Record<string, string | undefined>>): StandardStreams | undefined {
  if (describes(env) || modeOf(env) !== 'in-syncer') return undefined
  guarded ??= guardedStreams()
  return guarded
}

function guardedStreams(): StandardStreams {
  const streams = new StandardStreams(process, systemClock)
  logFailures(streams)
  return streams
}

/**
 * Logs uncaught errors in the form that vcluster's log shows; it does not show what Node writes. An unhandled rejection
 * does not end the process: a plugin that has ended is not started again, and vcluster continues without it.
 */
function logFailures(streams: StandardStreams): void {
  process.on('uncaughtExceptionMonitor', (error) => streams.log('error', `plugin: ${error.stack ?? error}`))
  process.on('unhandledRejection', (reason) =>
    streams.log(
      'error',
      `plugin: a promise was rejected and not handled: ${reason instanceof Error ? reason.stack : reason}`,
    ),
  )
}
