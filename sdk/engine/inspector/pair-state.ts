import type { Reconciler } from '../../vcluster/syncer/reconciler.js'
import { Syncer } from '../../vcluster/syncer/syncer.js'
import type { ControllerKeyState } from '../controller/running-controller.js'
import type { RunEntry } from './explanation-view.js'
import type { PairState } from './pair-model.js'
import { isLeftAlone, type Sides } from './sides.js'

/** Options of {@link pairState}. */
export interface PairStateOptions {
  syncer: Reconciler
  state: ControllerKeyState
  sides: Sides
  /** The last run, if it is remembered. */
  lastRun: RunEntry | undefined
}

/** The state of a pair; see {@link PairState}. */
export function pairState({ syncer, state, sides, lastRun }: PairStateOptions): PairState {
  const unfinished = unfinishedState(state, lastRun)
  if (unfinished) return unfinished
  if (isLeftAlone(syncer, sides)) return 'left alone'
  return syncer instanceof Syncer && isWithoutCopy(syncer, sides) ? 'not copied' : 'in sync'
}

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
  // It asked to come back because it could not write.
  return lastRun?.error !== undefined && state.dueInMs !== undefined ? 'pending' : undefined
}

function isWithoutCopy({ originals }: Syncer, { virtual, host, isPair }: Sides): boolean {
  return originals === 'virtual'
    ? virtual !== undefined && !isPair
    : host !== undefined && virtual === undefined
}
