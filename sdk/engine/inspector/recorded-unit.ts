import type { RunEnd } from '../controller/run-end.js'
import type { Unit } from '../manager/unit.js'
import { isInspectedController } from './inspected-controller.js'
import type { Recorder } from './recorder.js'

/** A unit of a program whose runs are recorded. `make` makes the unit, which calls `onRunEnd` after each run. */
export function recordedUnit(
  make: (onRunEnd: (end: RunEnd) => void) => Unit,
  { recorder, stop }: { recorder: Recorder | undefined; stop: AbortSignal },
): Unit {
  let record = (_end: RunEnd): void => {}
  const unit = make((end) => record(end))
  const { run } = unit
  if (!recorder || !run) return unit
  return {
    ...unit,
    run: () => {
      const running = run()
      if (isInspectedController(running)) record = recorder.attendController(running, stop)
      return running
    },
  }
}
