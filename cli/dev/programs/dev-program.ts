import type { FoundPlugin } from '../../program/find-plugin.js'
import type { DevOptions } from '../dev-options.js'
import type { DevReport } from '../report.js'

/** A program that `dev` runs, with its clusters. */
export interface DevProgram {
  /** The address of the program's inspector; undefined if it has none, or the user's environment sets it. */
  readonly inspectorUrl: string | undefined
  /** Runs until the program ends, or with `once` until its work is done. */
  run(): Promise<void>
  /** Restarts the program. */
  restart(): Promise<void>
  /** Stops the program and its watchers. */
  stop(): Promise<void>
  /** Kills the program. */
  kill(): void
}

/** The parts that every kind of program is made from. */
export interface DevProgramOptions {
  options: DevOptions
  plugin: FoundPlugin
  report: DevReport
}

/** The namespace of a program that is not a plugin of a vcluster, on an embedded cluster. */
export const programNamespace = 'default'
