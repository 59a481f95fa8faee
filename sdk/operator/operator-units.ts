import type { RunEnd } from '../engine/controller/run-end.js'
import type { Recorder } from '../engine/inspector/recorder.js'
import type { ProgramManager } from '../engine/manager/program-manager.js'
import type { Unit } from '../engine/manager/unit.js'
import type { UnitEnvironment } from '../engine/manager/unit-source.js'
import type { RegistrableController } from './engine/controller.js'

/** Options of {@link operatorUnits}. */
export interface OperatorUnitOptions
  extends Omit<UnitEnvironment, 'stop' | 'abort' | 'assignment' | 'rejections' | 'onRunEnd'> {
  manager: ProgramManager
  /** Receives each run, if the operator is inspected. */
  recorder: Recorder | undefined
  /** Called after each run with the name of its controller. */
  onRunEnd: ((controller: string, end: RunEnd) => void) | undefined
}

/** The controllers of an operator as units of its manager. */
export function operatorUnits(
  controllers: readonly RegistrableController[],
  { manager, recorder, onRunEnd, ...shared }: OperatorUnitOptions,
): Unit[] {
  const { stopping: stop, aborting: abort } = manager
  const environment = {
    ...shared,
    stop,
    abort,
    assignment: () => manager.leadership?.assignment,
    rejections: () => manager.controllers.rejections,
  }
  const unitOf = (controller: RegistrableController) => (record: (end: RunEnd) => void) => {
    const onEnd = (end: RunEnd) => {
      record(end)
      manager.ran(end)
      onRunEnd?.(controller.name, end)
    }
    return controller.unitFor({ ...environment, onRunEnd: onEnd })
  }
  return controllers.map((controller) => {
    const make = unitOf(controller)
    return recorder ? recorder.unit(make, stop) : make(() => {})
  })
}
