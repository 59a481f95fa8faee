import type { Logger } from '../../engine/observe/logger.js'
import { type Clock, systemClock } from '../../engine/time/clock.js'
import type { LoadedProgram } from '../program/load-program.js'
import type { ProgramCache } from '../program/program-cache.js'
import { type BoundaryPolicy, requiredBoundary } from './boundary/required-boundary.js'
import type { ProgramDescription } from './messages.js'
import { ProgramProcess } from './program-process.js'
import { spawnProgram } from './spawn-program.js'

/** How the processes of programs run. */
export interface ProcessRunnerOptions {
  /** The folder from which programs are executed; their digest is compared before each start. */
  readonly cache: ProgramCache
  readonly logger: Logger
  /** The limit of the JavaScript heap of a process, in MiB; it may use 192 MiB more in all. Default: 128. */
  readonly memoryMb?: number | undefined
  /**
   * Whether a program may run without a boundary of the kernel. Default: `preferred`, so it may.
   */
  readonly boundary?: BoundaryPolicy | undefined
  /** Whether programs may use the network. Default: false, if the boundary or Node can refuse it. */
  readonly network?: boolean | undefined
  /** After how long without a call a process is ended, in milliseconds. Default: 5 minutes. */
  readonly idleMs?: number | undefined
  /** Default: the system's clock. */
  readonly clock?: Clock | undefined
  /** The digests of the programs whose log has the advice about `sdk`; default none. */
  readonly advised?: Set<string> | undefined
  /**
   * Called when the last process has ended because it was idle, and no manager is open. Default: nothing.
   */
  readonly onIdle?: (() => void) | undefined
}

/** Starts a process, and loads the program in it. Throws a `ProgramError`, after which the process has ended. */
export async function startProgram(
  program: LoadedProgram,
  options: ProcessRunnerOptions,
): Promise<{ running: ProgramProcess; description: ProgramDescription }> {
  const { cache, logger, memoryMb = 128, clock = systemClock, network = false } = options
  const label = labelOf(program)
  const boundary = await requiredBoundary(options.boundary ?? 'preferred', { label, logger })
  const path = (await cache.find(program.digest)) ?? (await cache.put(program))
  const spawned = await spawnProgram({ path, memoryMb, network, boundary })
  const running = new ProgramProcess(spawned, { url: spawned.url, label, memoryMb, logger, clock })
  return { running, description: await running.load() }
}

/** The label of a program in messages, until its description has a name: the beginning of its digest. */
export const labelOf = ({ digest }: LoadedProgram): string => `program ${digest.slice(0, 19)}…`
