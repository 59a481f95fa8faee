import type { RunningController } from '../controller/running-controller.js'
import type { Key } from '../kube/key.js'
import { apiVersionOf } from '../kube/resource.js'
import { controlledView } from './controlled-view.js'
import type { ControllerExplanation } from './controller-explanation.js'
import { explainController } from './explain-controller.js'
import type { InspectedWork } from './inspected.js'
import {
  type InspectedController,
  type InspectedKind,
  isInspectedController,
} from './inspected-controller.js'
import type { InspectorView, ViewSources, WorkerView } from './inspector-view.js'
import type { ControllerView, KindView } from './model.js'
import type { Recorder } from './recorder.js'
import { workView } from './work-view.js'

/** Options of {@link controllersView}. */
export interface ControllersViewOptions extends Pick<InspectedWork, 'shardOf'> {
  /** The kind of the program that runs them. */
  program: ControllerExplanation['program']
  /** The controllers that run by now; those without an inspection are left out. */
  running: () => readonly RunningController[]
}

/** Shows the controllers of a program that each reconcile objects of one cluster. */
export function controllersView({ running, ...options }: ControllersViewOptions): InspectorView {
  const controllers = () => running().filter(isInspectedController)
  return {
    overview: async (sources) => ({
      controllers: await Promise.all(controllers().map((one) => controllerView(one, sources))),
    }),
    workers: (recorder) => controllers().map((one) => workerView(one, { ...options, recorder })),
  }
}

function workerView(
  running: InspectedController,
  options: Pick<ControllersViewOptions, 'program' | 'shardOf'> & { recorder: Recorder },
): WorkerView {
  return {
    name: running.name,
    resource: running.inspection.resource,
    knownKeys: () => running.knownKeys(),
    viewOf: (key: Key) => controlledView(running, key, options.recorder).view,
    runAgain: (key: Key) => running.runNow(key),
    explain: (key: Key) => explainController(running, key, options),
  }
}

async function controllerView(running: InspectedController, sources: ViewSources): Promise<ControllerView> {
  const { resource, cluster, owns, watches, hasReleases } = running.inspection
  return {
    ...(await workView(running, resource, sources)),
    cluster: cluster.name,
    objects: cluster.store(resource).size,
    owns: owns.map(kindView),
    watches: watches.map(kindView),
    hasReleases,
  }
}

const kindView = ({ cluster, resource }: InspectedKind): KindView => ({
  cluster: cluster.name,
  apiVersion: apiVersionOf(resource),
  kind: resource.kind,
})
