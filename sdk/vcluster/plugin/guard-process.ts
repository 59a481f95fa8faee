import { PluginError } from '../../engine/kube/error.js'
import { describes } from '../../engine/manager/describes.js'
import { systemClock } from '../../engine/time/clock.js'
import { StandardStreams } from '../remote/v2/standard-streams.js'
import { modeOf } from './mode.js'

let guarded: StandardStreams | undefined
/** The failures of plugins. They end the process even if the program does not wait for them. */
const failures = new WeakSet<Error>()

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

/** Lets a failure of the plugin end a guarded process, if the program does not catch it. */
export function endGuardedProcess(failure: unknown): void {
  if (failure instanceof Error) failures.add(failure)
}

function guardedStreams(): StandardStreams {
  const streams = new StandardStreams(process, systemClock)
  logFailures(streams)
  return streams
}

/**
 * Logs uncaught errors in the form that vcluster's log shows; vcluster's log does not show Node's own messages. An
 * unhandled rejection does not end the process: a plugin that has ended is not started again, and vcluster continues
 * without it.
 */
function logFailures(streams: StandardStreams): void {
  process.on('uncaughtExceptionMonitor', (error) => streams.log('error', `plugin: ${textOf(error)}`))
  process.on('unhandledRejection', (reason) => {
    if (reason instanceof Error && failures.has(reason)) throw reason
    streams.log('error', `plugin: a promise was rejected and not handled: ${textOf(reason)}`)
  })
}

/** A `PluginError` explains itself; the stack trace of another error is for its developer. */
const textOf = (error: unknown) =>
  error instanceof PluginError ? error.message : error instanceof Error ? error.stack : error
