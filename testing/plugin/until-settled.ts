import { EMPTY, type Observable } from 'rxjs'
import type { ApiServer } from '../../apiserver/api-server.js'
import type { Plugin } from '../../sdk/vcluster/plugin/plugin.js'
import { SettleLimits, type SettlingProgram, type SyncerRun } from './settle-limits.js'

/** Options of {@link untilSettled}. */
export interface UntilSettledOptions {
  plugin: Pick<Plugin, 'isIdle'>
  /** Whether all other work on the clusters is idle; default true. */
  isIdle?: () => boolean
  servers: readonly Pick<ApiServer, 'resourceVersion'>[]
  /** The results of reconciles, from which endless requeues are detected; default none. */
  runs$?: Observable<SyncerRun>
  /** The type of the program, for errors; default `plugin`. */
  program?: SettlingProgram
}

/**
 * The number of turns of the event loop in a row that must pass without a change. In one process everything
 * travels by promises and immediates, so a pending change shows within a few turns.
 */
const quietTurns = 25
/**
 * The number of turns in a row without a change after which each further turn takes a millisecond. The program then
 * waits for something outside the event loop, such as a retry or a process, and needs the processor less than that.
 */
const busyTurns = 200

/**
 * Resolves when the plugin is idle and neither server has changed for several turns of the event loop. Rejects with
 * `PluginError` `NOT_SETTLED` if that does not happen; see {@link SettleLimits}.
 */
export async function untilSettled(options: UntilSettledOptions): Promise<void> {
  const limits = new SettleLimits(options.runs$ ?? EMPTY, options.program)
  try {
    await untilQuiet(options, limits)
  } finally {
    limits.end()
  }
}

async function untilQuiet(
  { plugin, isIdle = () => true, servers }: UntilSettledOptions,
  limits: SettleLimits,
): Promise<void> {
  let lastState = ''
  let unchanged = 0
  for (let quietCount = 0; quietCount < quietTurns; quietCount++) {
    await (unchanged < busyTurns ? nextTurn() : millisecond())
    const now = servers.map((server) => server.resourceVersion).join()
    unchanged = now === lastState ? unchanged + 1 : 0
    if (now !== lastState) limits.recordChange()
    limits.check()
    if (now !== lastState || !plugin.isIdle() || !isIdle()) quietCount = 0
    lastState = now
  }
  limits.checkIdle()
}

/** Taken now, because a test may replace it. */
const { setTimeout: setRealTimeout } = globalThis

const millisecond = () => new Promise<void>((resolve) => setRealTimeout(resolve, 1))

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
