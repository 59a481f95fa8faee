import type { InspectableProgram } from './inspected.js'
import type { WorkerView } from './inspector-view.js'
import type { Recorder } from './recorder.js'

/** The controllers and syncers of a program, in the order of its views. */
export function workersOf({ views }: InspectableProgram, recorder: Recorder): WorkerView[] {
  return views.flatMap((view) => view.workers?.(recorder) ?? [])
}
