import type { LoadedProgram } from '../program/load-program.js'
import type { ProgramDescription } from './messages.js'
import { type ProcessRunnerOptions, startProgram } from './start-program.js'

/**
 * Loads a program in a process of its own, as for a Module, and returns its description. Makes no manager.
 * Throws a {@link ProgramError} if it cannot be loaded.
 *
 * @example
 * ```ts
 * const { name, version } = await describeProgram(loaded, { cache: new ProgramCache(folder), logger: silentLogger })
 * ```
 */
export async function describeProgram(
  program: LoadedProgram,
  options: ProcessRunnerOptions,
): Promise<ProgramDescription> {
  const { running, description } = await startProgram(program, options)
  running.kill('it was only described')
  await running.ended
  return description
}
