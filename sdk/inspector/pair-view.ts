import type { RegisterContext } from '../context/register-context.js'
import type { RunningSyncer } from '../controller/run-syncer.js'
import { formatKey, type Key } from '../kube/key.js'
import type { PairView } from './model.js'
import { pairState } from './pair-state.js'
import type { Recorder } from './recorder.js'
import { type Sides, sidesOf } from './sides.js'

/** What {@link pairView} looks at. */
export interface PairViewOptions {
  ctx: RegisterContext
  recorder: Recorder
}

/** A key of a syncer and how it stands, with the objects that this was taken from. */
export function pairView(
  { reconciler, standingOf }: Pick<RunningSyncer, 'reconciler' | 'standingOf'>,
  key: Key,
  { ctx, recorder }: PairViewOptions,
): { view: PairView; sides: Sides } {
  const sides = sidesOf(reconciler, ctx, key)
  const standing = standingOf(key)
  const lastRun = recorder.lastRun(reconciler, key)
  const view = {
    ...key,
    syncer: reconciler.name,
    kind: reconciler.resource.kind,
    host: sides.hostKey ? formatKey(sides.hostKey) : null,
    hasVirtual: sides.virtual !== undefined,
    hasHost: sides.isPair,
    state: pairState({ syncer: reconciler, standing, sides, lastRun }),
    failures: standing.failures,
    dueInMs: standing.dueInMs ?? null,
  }
  return { view, sides }
}
