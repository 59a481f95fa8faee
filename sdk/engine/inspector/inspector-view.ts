import type { MetricSample } from '../health/prometheus-metrics.js'
import type { Key } from '../kube/key.js'
import type { Resource } from '../kube/resource.js'
import type { ControllerExplanation } from './controller-explanation.js'
import type { Explanation } from './explanation-view.js'
import type { Overview } from './model.js'
import type { PairView } from './pair-model.js'
import type { Recorder } from './recorder.js'

/** The data that views are made from, in addition to the program. */
export interface ViewSources {
  readonly recorder: Recorder
  /** The values of a metric. They are counted anyway, so that the inspector need not count again. */
  samples(metric: string): Promise<readonly MetricSample[]>
}

/** The members of the overview that views fill. */
export type ViewedParts = Pick<
  Overview,
  'syncers' | 'controllers' | 'hooks' | 'interceptors' | 'methods' | 'calls'
>

/** Shows one kind of things that a program consists of: controllers, syncers, hooks, methods. */
export interface InspectorView {
  /** The members of the overview that this view supplies. */
  overview(sources: ViewSources): Promise<Partial<ViewedParts>>
  /** The things of the view that work on keys; none if left out. */
  workers?(recorder: Recorder): readonly WorkerView[]
}

/** A controller or a syncer, whose keys are listed and explained. */
export interface WorkerView {
  readonly name: string
  readonly resource: Resource
  knownKeys(): Iterable<Key>
  viewOf(key: Key): PairView
  /** Runs a key now. */
  runAgain(key: Key): void
  explain(key: Key): Promise<Explanation | ControllerExplanation>
}
