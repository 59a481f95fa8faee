import type { RunClusters, TestCluster } from '../environment/test-environment.js'
import type { RequestRecorder } from '../recorder/request-recorder.js'

/** The maximum number of calls of the program while no virtual time passes. */
const maxCallsWithoutTime = 2000

/** Options of {@link untilQuiet}. */
export interface UntilQuietOptions {
  clusters: readonly Pick<TestCluster, 'revision'>[]
  run: Pick<RunClusters, 'tick' | 'quietTicks'>
  recorder: Pick<RequestRecorder, 'calls' | 'pendingCalls'>
}

/**
 * Resolves when no cluster has changed and the program has made no call for the environment's number of quiet ticks.
 * Virtual time does not pass meanwhile. Throws for a program that keeps making calls.
 */
export async function untilQuiet({ clusters, run, recorder }: UntilQuietOptions): Promise<void> {
  const maxCalls = recorder.calls + maxCallsWithoutTime
  let lastState = ''
  for (let ticks = 0; ticks < run.quietTicks; ticks++) {
    if (recorder.calls > maxCalls)
      throw new Error(`the program made ${maxCallsWithoutTime} calls without waiting between them`)
    await run.tick()
    const now = [...clusters.map(({ revision }) => revision), recorder.calls, recorder.pendingCalls].join()
    if (now !== lastState) ticks = 0
    lastState = now
  }
}
