import type { ControllerKeyState } from '../../../engine/controller/running-controller.js'
import type { RunEntry } from '../../../engine/inspector/explanation-view.js'
import type { PairState } from '../../../engine/inspector/pair-model.js'
import { unfinishedState } from '../../../engine/inspector/unfinished-state.js'
import type { Reconciler } from '../../syncer/reconciler.js'
import { Syncer } from '../../syncer/syncer.js'
import { type InspectedPair, isLeftAlone } from './inspected-pair.js'

/** Options of {@link pairState}. */
export interface PairStateOptions {
  syncer: Reconciler
  state: ControllerKeyState
  pair: InspectedPair
  /** The last run, if it is remembered. */
  lastRun: RunEntry | undefined
}

/** The state of a pair; see {@link PairState}. */
export function pairState({ syncer, state, pair, lastRun }: PairStateOptions): PairState {
  const unfinished = unfinishedState(state, lastRun)
  if (unfinished) return unfinished
  if (isLeftAlone(syncer, pair)) return 'left alone'
  return syncer instanceof Syncer && isWithoutCopy(syncer, pair) ? 'not copied' : 'in sync'
}

function isWithoutCopy({ originals }: Syncer, { virtual, host, isPair }: InspectedPair): boolean {
  return originals === 'virtual'
    ? virtual !== undefined && !isPair
    : host !== undefined && virtual === undefined
}
