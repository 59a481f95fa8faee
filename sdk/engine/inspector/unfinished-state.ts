import type { ControllerKeyState } from '../controller/running-controller.js'
import type { RunEntry } from './explanation-view.js'
import type { PairState } from './pair-model.js'

/** The state of a key with work to do; undefined if its work is done. */
export function unfinishedState(
  state: ControllerKeyState,
  lastRun: RunEntry | undefined,
): PairState | undefined {
  if (state.isQuarantined) return 'quarantined'
  if (state.conflictsWith !== undefined) return 'name conflict'
  const isPending = state.isRunning || state.isWaiting || state.failures > 0
  if (isPending || lastRun?.result === 'error') return 'pending'
  if (lastRun?.result === 'terminal_error') return 'given up'
  // The last run could not write, and asked to run again.
  return lastRun?.error !== undefined && state.dueInMs !== undefined ? 'pending' : undefined
}

/** Why a key is not done, in a sentence; undefined without a name conflict if its last run did not fail. */
export function keyProblem(
  { conflictsWith }: ControllerKeyState,
  lastRun: RunEntry | undefined,
): string | undefined {
  if (conflictsWith !== undefined) return `${conflictsWith} has its name and is not its own.`
  return lastRun?.error
}
