import { createEventRecorder } from '../../engine/client/event-recorder.js'
import type { RunEnd } from '../../engine/controller/run-end.js'
import type { UnhandledRejections } from '../../engine/controller/unhandled-rejections.js'
import type { RecordedWorker, Recorder } from '../../engine/inspector/recorder.js'
import { safeConcatName } from '../../engine/kube/concat-name.js'
import type { ShardAssignment } from '../../engine/leader/shard-assignment.js'
import type { Deadline, Unit } from '../../engine/manager/unit.js'
import { isUnitSource, type UnitEnvironment } from '../../engine/manager/unit-source.js'
import { bindContext } from '../context/bind-context.js'
import type { RegisterContext } from '../context/register-context.js'
import { hostScopes } from '../ownership/host-objects.js'
import { indexStores, requestStores } from '../syncer/reconcile/needed-stores.js'
import { type RunningSyncer, runSyncer } from '../syncer/reconcile/run-syncer.js'
import { Reconciler } from '../syncer/reconciler.js'
import type { Runnable } from '../syncer/runnable.js'
import { Syncer } from '../syncer/syncer.js'
import { sameKindAs } from './same-kind.js'
import type { Wiring } from './wire.js'

/** Options of {@link unitsOf}. */
export interface UnitsOptions {
  wiring: Wiring
  /** Returns the shards of this replica if replicas share the work; called once leadership is won. */
  assignment: () => ShardAssignment | undefined
  /** Catches rejections of promises that runs did not await; undefined if they end the process. */
  rejections: () => UnhandledRejections | undefined
  stop: AbortSignal
  abort: AbortSignal
  /** Records runs for the inspector. */
  recorder: Recorder | undefined
  /** Called after each run of a syncer. */
  onRunEnd: (syncer: string, end: RunEnd) => void
}

/** The runnables of a plugin as units that the manager starts. */
export function unitsOf(runnables: Iterable<Runnable>, options: UnitsOptions): Unit[] {
  const all = [...runnables]
  return all.map((runnable) => {
    if (isUnitSource(runnable)) {
      const environment = environmentOf(runnable, options)
      const make = (record: (end: RunEnd) => void) =>
        runnable.unitFor({
          ...environment,
          onRunEnd: (end) => {
            record(end)
            environment.onRunEnd(end)
          },
        })
      const { recorder, stop } = options
      return recorder ? recorder.unit(make, stop) : make(() => {})
    }
    const steps = startSteps(runnable, options.wiring)
    if (!(runnable instanceof Reconciler)) return steps
    return { ...steps, ...syncerSteps(runnable, { ...options, sameKind: sameKindAs(runnable, all) }) }
  })
}

/** The environment of a unit that does not depend on a vcluster. */
function environmentOf({ name }: Runnable, options: UnitsOptions): UnitEnvironment {
  const { wiring, onRunEnd, recorder: _, ...otherOptions } = options
  const { pluginName, vclusterName, targetNamespace, owner, logger, metrics, clock } = wiring.ctx
  return {
    program: pluginName,
    clusters: [wiring.virtual, wiring.host],
    appliedFields: wiring.appliedFields,
    own: {
      cluster: wiring.host,
      namespace: targetNamespace,
      name: safeConcatName(vclusterName, 'plugin', pluginName),
    },
    vcluster: { name: vclusterName, targetNamespace, owner },
    logger,
    metrics,
    clock,
    ...otherOptions,
    onRunEnd: (end) => onRunEnd(name, end),
  }
}

function startSteps(runnable: Runnable, { ctx }: Wiring): Unit {
  return {
    name: runnable.name,
    init: async (deadline) => runnable.init?.(boundTo(ctx, deadline)),
    registerIndices: async (deadline) => runnable.registerIndices?.(boundTo(ctx, deadline)),
    ...(runnable.register && { register: async (signal) => runnable.register?.(ctx, signal) }),
  }
}

const boundTo = (ctx: RegisterContext, deadline: Deadline | undefined) =>
  deadline ? bindContext(ctx, { deadline }) : ctx

interface SyncerOptions extends UnitsOptions {
  sameKind: readonly Syncer[]
}

function syncerSteps(
  syncer: Reconciler,
  options: SyncerOptions,
): Pick<Unit, 'requestStores' | 'indexStores' | 'run'> {
  const { ctx } = options.wiring
  return {
    requestStores: () => requestStores(syncer, ctx),
    indexStores: () => indexStores(syncer, ctx),
    run: () => runRecorded(syncer, options),
  }
}

function runRecorded(syncer: Reconciler, options: SyncerOptions): RunningSyncer {
  const {
    wiring,
    assignment: assignmentOf,
    rejections: rejectionsOf,
    stop,
    abort,
    recorder,
    onRunEnd,
    sameKind,
  } = options
  const { ctx } = wiring
  const assignment = assignmentOf()
  const rejections = rejectionsOf()
  const record = recorder?.attend(recordedSyncer(syncer, ctx), stop)
  const running = runSyncer(syncer, {
    ctx,
    sameKind,
    events: eventsOf(syncer, ctx, { assignment, stop }),
    stop,
    abort,
    ...(rejections && { rejections }),
    onRunEnd: (end) => {
      record?.(end, running.load().waiting)
      onRunEnd(syncer.name, end)
    },
    ...(assignment && { assignment }),
  })
  return running
}

/** The description of a syncer for the recorder, with the changes of both objects of a key. */
function recordedSyncer(syncer: Reconciler, { virtual, host }: RegisterContext): RecordedWorker {
  const { name, resource } = syncer
  const scopes = syncer instanceof Syncer ? hostScopes(syncer) : []
  const copies = scopes.map((scope) => ({ cluster: host, resource, scope }))
  return { name, resource, follows: [{ cluster: virtual, resource }, ...copies] }
}

/** The recorder of a syncer's Events. They are written after the runs of their keys, for any shard of this replica. */
function eventsOf(
  { name }: Reconciler,
  ctx: RegisterContext,
  { assignment, stop }: { assignment: ShardAssignment | undefined; stop: AbortSignal },
) {
  const { virtual, clock, logger } = boundTo(ctx, assignment?.latestDeadline)
  const component = `${name}-syncer`
  return createEventRecorder({ client: virtual.client, component, clock, logger, stop })
}
