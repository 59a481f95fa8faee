// Decides which operation a Module needs. Pure functions of its status and of its intended state.
import type { ModulePhase, OperationRecord } from '../../kinds/module.js'

/** The kind of an operation. */
export type StepKind = OperationRecord['kind']

/** The facts that decide which operation a Module needs. */
export interface ModuleFacts {
  readonly phase: ModulePhase | undefined
  /** The operation that was begun and has not ended. */
  readonly operation: OperationRecord | undefined
  readonly wantsSleep: boolean
}

/** The operation that a Module needs next; undefined if it is in its intended state. */
export function nextStep({ phase, operation, wantsSleep }: ModuleFacts): StepKind | undefined {
  if (operation) return continuedStep(operation.kind, wantsSleep)
  switch (phase) {
    case 'ready':
      return wantsSleep ? 'sleep' : undefined
    case 'sleeped':
      return wantsSleep ? undefined : 'resume'
    case 'resuming':
    case 'sleeping':
      return wantsSleep ? 'sleep' : 'resume'
    default:
      return 'install'
  }
}

/**
 * The operation to continue with. If the opposite of a started sleep or wake is now wanted, the opposite runs instead
 * and undoes it.
 */
function continuedStep(kind: StepKind, wantsSleep: boolean): StepKind {
  if (kind === 'sleep' && !wantsSleep) return 'resume'
  if (kind === 'resume' && wantsSleep) return 'sleep'
  return kind
}

/** The phase of a Module during an operation. */
export const phaseDuring: Readonly<Record<StepKind, ModulePhase>> = {
  install: 'installing',
  upgrade: 'installing',
  sleep: 'sleeping',
  resume: 'resuming',
  uninstall: 'uninstalling',
}

/** The phase of a Module after an operation. */
export const phaseAfter: Readonly<Record<StepKind, ModulePhase>> = {
  install: 'ready',
  upgrade: 'ready',
  sleep: 'sleeped',
  resume: 'ready',
  uninstall: 'uninstalling',
}

/** The reason of the Event about an operation that has succeeded. */
export const eventAfter: Readonly<Record<StepKind, string>> = {
  install: 'Installed',
  upgrade: 'Upgraded',
  sleep: 'Slept',
  resume: 'Resumed',
  uninstall: 'Uninstalled',
}

/** The reason of the Event about an operation that has failed. */
export const errorEventOf: Readonly<Record<StepKind, string>> = {
  install: 'InstallError',
  upgrade: 'UpgradeError',
  sleep: 'SleepError',
  resume: 'ResumeError',
  uninstall: 'UninstallError',
}

/** The reason of the condition Progressing during an operation. */
export const progressOf: Readonly<Record<StepKind, string>> = {
  install: 'Installing',
  upgrade: 'Upgrading',
  sleep: 'GoingToSleep',
  resume: 'Resuming',
  uninstall: 'Uninstalling',
}
