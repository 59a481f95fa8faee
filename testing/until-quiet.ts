import { EMPTY, type Observable } from 'rxjs'
import type { ApiServer } from '../apiserver/api-server.js'
import type { Plugin } from '../sdk/plugin/plugin.js'
import { RestLimit, type SyncerRun } from './rest-limit.js'

/** What {@link untilQuiet} watches. */
export interface UntilQuietOptions {
  plugin: Pick<Plugin, 'isIdle'>
  /** Whether what else works on the clusters is at rest; default true. */
  isIdle?: () => boolean
  servers: readonly Pick<ApiServer, 'resourceVersion'>[]
  /** How each run went, by which one that comes back for ever is found; default nothing is known of runs. */
  runs$?: Observable<SyncerRun>
}

/**
 * How many turns of the event loop in a row must pass without any change. In process everything travels by
 * promises and immediates, so a change that is under way shows within a few turns.
 */
const quietTurns = 25

/**
 * Resolves when all are idle and neither server has changed for a while of event loop turns, not of time. Rejects with
 * `PluginError` `NOT_SETTLED` where that never comes about; see {@link RestLimit}.
 */
export async function untilQuiet(options: UntilQuietOptions): Promise<void> {
  const limit = new RestLimit(options.runs$ ?? EMPTY)
  try {
    await quiet(options, limit)
  } finally {
    limit.end()
  }
}

async function quiet({ plugin, isIdle = () => true, servers }: UntilQuietOptions, limit: RestLimit) {
  let seen = ''
  for (let turns = 0; turns < quietTurns; turns++) {
    await nextTurn()
    const now = servers.map((server) => server.resourceVersion).join()
    if (now !== seen) limit.changed()
    limit.check()
    if (now !== seen || !plugin.isIdle() || !isIdle()) turns = 0
    seen = now
  }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
