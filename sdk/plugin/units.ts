import { createEventRecorder } from '../client/event-recorder.js'
import { bindContext } from '../context/bind-context.js'
import type { RegisterContext } from '../context/register-context.js'
import type { RunEnd } from '../controller/run-end.js'
import type { UnhandledRejections } from '../controller/unhandled-rejections.js'
import type { Recorder } from '../inspector/recorder.js'
import type { ShardAssignment } from '../leader/shard-assignment.js'
import type { Deadline, Unit } from '../manager/unit.js'
import { indexStores, requestStores } from '../syncer/reconcile/needed-stores.js'
import { type RunningSyncer, runSyncer } from '../syncer/reconcile/run-syncer.js'
import { Reconciler } from '../syncer/reconciler.js'
import type { Registrant } from '../syncer/registrant.js'
import type { Wiring } from './wire.js'

/** Options of {@link unitsOf}. */
export interface UnitsOptions {
  wiring: Wiring
  /** The shards of this replica, where replicas share the work; asked once leadership is won. */
  share: () => ShardAssignment | undefined
  /** Catches rejections of promises that runs did not await; undefined if they end the process. */
  rejections: () => UnhandledRejections | undefined
  stop: AbortSignal
  abort: AbortSignal
  /** Records runs for the inspector. */
  recorder: Recorder | undefined
  /** Called after each run of a syncer. */
  onRunEnd: (syncer: string, end: RunEnd) => void
}

/** The registrants of a plugin as units that the manager starts. */
export function unitsOf(registrants: Iterable<Registrant>, options: UnitsOptions): Unit<RunningSyncer>[] {
  return [...registrants].map((registrant) =>
    registrant instanceof Reconciler
      ? { ...startSteps(registrant, options.wiring), ...syncerSteps(registrant, options) }
      : startSteps(registrant, options.wiring),
  )
}

function startSteps(registrant: Registrant, { ctx }: Wiring): Unit<RunningSyncer> {
  return {
    name: registrant.name,
    init: async (deadline) => registrant.init?.(boundTo(ctx, deadline)),
    registerIndices: async (deadline) => registrant.registerIndices?.(boundTo(ctx, deadline)),
    ...(registrant.register && { register: async (signal) => registrant.register?.(ctx, signal) }),
  }
}

const boundTo = (ctx: RegisterContext, deadline: Deadline | undefined) =>
  deadline ? bindContext(ctx, { deadline }) : ctx

function syncerSteps(
  syncer: Reconciler,
  options: UnitsOptions,
): Pick<Unit<RunningSyncer>, 'requestStores' | 'indexStores' | 'run'> {
  const { ctx } = options.wiring
  return {
    requestStores: () => requestStores(syncer, ctx),
    indexStores: () => indexStores(syncer, ctx),
    run: () => runRecorded(syncer, options),
  }
}

function runRecorded(syncer: Reconciler, options: UnitsOptions): RunningSyncer {
  const { wiring, share: shareOf, rejections: rejectionsOf, stop, abort, recorder, onRunEnd } = options
  const { ctx } = wiring
  const share = shareOf()
  const rejections = rejectionsOf()
  const record = recorder?.attend(syncer, ctx, stop)
  return runSyncer(syncer, {
    ctx,
    events: eventsOf(syncer, ctx, share),
    stop,
    abort,
    ...(rejections && { rejections }),
    onRunEnd: (end) => {
      record?.(end)
      onRunEnd(syncer.name, end)
    },
    ...(share && { share }),
  })
}

/** Events are about keys of any shard of this replica, and are written after their runs. */
function eventsOf({ name }: Reconciler, ctx: RegisterContext, share: ShardAssignment | undefined) {
  const { virtual, clock, logger } = boundTo(ctx, share?.latestDeadline)
  return createEventRecorder({ client: virtual.client, component: `${name}-syncer`, clock, logger })
}
