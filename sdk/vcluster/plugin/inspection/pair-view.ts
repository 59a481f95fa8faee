import type { PairView } from '../../../engine/inspector/pair-model.js'
import type { Recorder } from '../../../engine/inspector/recorder.js'
import { keyProblem } from '../../../engine/inspector/unfinished-state.js'
import { formatKey, type Key } from '../../../engine/kube/key.js'
import type { RegisterContext } from '../../context/register-context.js'
import type { RunningSyncer } from '../../syncer/reconcile/run-syncer.js'
import { type InspectedPair, inspectedPair } from './inspected-pair.js'
import { pairState } from './pair-state.js'

/** Options of {@link pairView}. */
export interface PairViewOptions {
  ctx: RegisterContext
  recorder: Recorder
}

/** A key of a syncer and its state, with the objects that show it. */
export function pairView(
  running: Pick<RunningSyncer, 'reconciler' | 'stateOf'>,
  key: Key,
  { ctx, recorder }: PairViewOptions,
): { view: PairView; pair: InspectedPair } {
  const { reconciler } = running
  const pair = inspectedPair(reconciler, ctx, key)
  const state = running.stateOf(key)
  const lastRun = recorder.lastRun(reconciler, key)
  const view = {
    ...key,
    syncer: reconciler.name,
    kind: reconciler.resource.kind,
    cluster: null,
    host: pair.hostKey ? formatKey(pair.hostKey) : null,
    hasVirtual: pair.virtual !== undefined,
    hasHost: pair.isPair,
    state: pairState({ syncer: reconciler, state, pair, lastRun }),
    problem: keyProblem(state, lastRun) ?? null,
    failures: state.failures,
    dueInMs: state.dueInMs ?? null,
    release: null,
  }
  return { view, pair }
}
