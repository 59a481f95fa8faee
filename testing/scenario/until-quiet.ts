import type { ClusterPair } from '../environment/test-environment.js'
import type { Recorder } from '../recorder/recorder.js'

/** The maximum number of calls of the plugin while no virtual time passes. */
const maxCallsWithoutTime = 2000

/**
 * Resolves when neither cluster has changed and the plugin has made no call for the environment's number of quiet ticks.
 * Virtual time does not pass meanwhile. Throws for a plugin that keeps making calls.
 */
export async function untilQuiet(clusters: ClusterPair, recorder: Recorder): Promise<void> {
  const maxCalls = recorder.calls + maxCallsWithoutTime
  let seen = ''
  for (let ticks = 0; ticks < clusters.quietTicks; ticks++) {
    if (recorder.calls > maxCalls)
      throw new Error(`the plugin made ${maxCallsWithoutTime} calls without waiting between them`)
    await clusters.tick()
    const { virtual, host } = clusters
    const now = [virtual.revision, host.revision, recorder.calls, recorder.pendingCalls].join()
    if (now !== seen) ticks = 0
    seen = now
  }
}
