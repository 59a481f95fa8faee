import { createEventRecorder } from '../../engine/client/event-recorder.js'
import { openUntil } from '../../engine/client/write-gate.js'
import { bindCluster } from '../../engine/cluster/bind-cluster.js'
import { runController } from '../../engine/controller/run-controller.js'
import type { InspectedController } from '../../engine/inspector/inspected-controller.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { ShardAssignment } from '../../engine/leader/shard-assignment.js'
import type { Unit } from '../../engine/manager/unit.js'
import type { UnitEnvironment } from '../../engine/manager/unit-source.js'
import type { WiredController } from '../controller/wired-controller.js'
import { engineController, indexControllerStores, requestControllerStores } from './engine-controller.js'
import { groupOfKey } from './group-of.js'
import { type ControllerViews, inspectionOf } from './inspection.js'

/** The parts of a program that its controllers need. */
export type ControllerUnitOptions = Pick<
  UnitEnvironment,
  'stop' | 'abort' | 'onRunEnd' | 'assignment' | 'rejections'
>

/** A controller as a unit that the manager starts. */
export function controllerUnit<T extends KubeObject>(
  wired: WiredController<T>,
  options: ControllerUnitOptions & { views: ControllerViews },
): Unit {
  return {
    name: wired.name,
    requestStores: () => requestControllerStores(wired),
    indexStores: () => indexControllerStores(wired),
    run: () => start(wired, options),
  }
}

function start<T extends KubeObject>(
  wired: WiredController<T>,
  {
    assignment: assignmentOf,
    rejections: rejectionsOf,
    views,
    stop,
    abort,
    onRunEnd,
  }: ControllerUnitOptions & { views: ControllerViews },
): InspectedController {
  const { environment } = wired
  const assignment = assignmentOf()
  const rejections = rejectionsOf()
  const events = eventsOf(wired, { assignment, stop })
  const running = runController(engineController(wired, events), {
    stop,
    abort,
    onRunEnd,
    events,
    logger: environment.logger,
    metrics: environment.metrics,
    clock: environment.clock,
    ...(assignment && { assignment }),
    ...(rejections && { rejections }),
    ...limitsOf(wired),
  })
  return Object.assign(running, { inspection: inspectionOf(wired as never, views) })
}

function limitsOf<T extends KubeObject>(wired: WiredController<T>) {
  const { concurrency, maxRunsPerSecond, resyncMs } = wired.options
  const groupOf = groupOfKey(wired)
  return {
    ...(concurrency !== undefined && { workers: concurrency }),
    ...(groupOf && { groupOf }),
    ...(maxRunsPerSecond !== undefined && { maxRunsPerSecond }),
    ...(resyncMs !== undefined && { resyncMs }),
  }
}

/** Events are about keys of any shard of this replica, and are written after their runs. */
function eventsOf<T extends KubeObject>(
  { cluster, fieldManager, environment }: WiredController<T>,
  { assignment, stop }: { assignment: ShardAssignment | undefined; stop: AbortSignal },
) {
  const { clock, logger } = environment
  const gate = assignment && openUntil({ deadline: assignment.latestDeadline, clock })
  const { client } = bindCluster(cluster, gate ? { gate } : {})
  return createEventRecorder({ client, component: fieldManager, clock, logger, stop })
}
