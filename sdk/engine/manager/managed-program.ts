import type { RunningController } from '../controller/running-controller.js'
import type { Leadership } from '../leader/leadership.js'
import type { Logger } from '../observe/logger.js'
import type { StandbyOptions } from './standby.js'
import type { Unit } from './unit.js'

/** The signals of a program's end. */
export interface ProgramSignals {
  /** Aborts when the intake closes. */
  stopping: AbortSignal
  /** Aborts when runs under way have to end. */
  aborting: AbortSignal
}

/** The kind of a program, as its log lines call it. */
export type ProgramNoun = 'plugin' | 'operator'

const wordForUnits: Record<ProgramNoun, string> = { plugin: 'syncers', operator: 'controllers' }

/** A program for the manager to run, as an entry point describes it. */
export interface ManagedProgram<C extends RunningController = RunningController> {
  /** In the order of registration. */
  readonly units: readonly Unit<C>[]
  /** How the process waits for leadership; left out if it does not wait. */
  readonly standby?:
    | (Pick<StandbyOptions, 'isWarm' | 'becomesWarm'> & { readonly isShared: boolean })
    | undefined
  /** Runs first: checks permissions, and says that the program is ready to lead. */
  beforeLeading(stopping: AbortSignal): Promise<void>
  /** Seeks leadership from now on, until it is released. */
  lead(): Leadership
  /** Runs once leadership is won, before any unit. */
  afterWinning(signals: ProgramSignals): Promise<void>
  /** Rejects if a permission is missing for what was requested so far. */
  checkPermissions(): Promise<void>
  /** Closes the connections; `failure` is what ended the program, if it was not a stop. */
  close(failure?: unknown): Promise<void>
}

/** Logs that all units have been started. Other programs wait for this line. */
export function logRunning(
  units: readonly Pick<Unit, 'name'>[],
  { logger, noun }: { logger: Logger; noun: ProgramNoun },
): void {
  logger.info({ [wordForUnits[noun]]: units.map(({ name }) => name) }, `the ${noun} is running`)
}
