import { type RunControllerOptions, runController } from '../../../engine/controller/run-controller.js'
import type { RunningController } from '../../../engine/controller/running-controller.js'
import type { RegisterContext } from '../../context/register-context.js'
import type { Reconciler } from '../reconciler.js'
import type { Syncer } from '../syncer.js'
import { syncerController } from './syncer-controller.js'

/** Options of {@link runSyncer}. */
export interface RunSyncerOptions extends Omit<RunControllerOptions, 'logger' | 'metrics' | 'clock'> {
  ctx: RegisterContext
  /** See `SyncerControllerOptions`. */
  sameKind?: readonly Syncer[]
}

/** A syncer that runs. */
export interface RunningSyncer extends RunningController {
  readonly reconciler: Reconciler
}

/** Whether a controller that runs is a syncer. */
export function isSyncer(running: RunningController): running is RunningSyncer {
  return 'reconciler' in running
}

/** Runs a syncer's keys, as soon as the stores of its kinds hold their first lists. */
export function runSyncer(
  syncer: Reconciler,
  { ctx, sameKind = [], ...options }: RunSyncerOptions,
): RunningSyncer {
  const { logger, metrics, clock } = ctx
  const controller = syncerController(syncer, { ctx, events: options.events, sameKind })
  return Object.assign(runController(controller, { logger, metrics, clock, ...options }), {
    reconciler: syncer,
  })
}
