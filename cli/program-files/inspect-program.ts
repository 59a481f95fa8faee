import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PluginError } from '../../sdk/engine/kube/error.js'
import { type LogFields, type Logger, silentLogger } from '../../sdk/engine/observe/logger.js'
import { describeProgram } from '../../sdk/modules/process/describe-program.js'
import type { ProgramDescription } from '../../sdk/modules/process/messages.js'
import { AllowList } from '../../sdk/modules/program/allow-list.js'
import { type LoadedProgram, loadProgram } from '../../sdk/modules/program/load-program.js'
import { ProgramCache } from '../../sdk/modules/program/program-cache.js'
import { ProgramError } from '../../sdk/modules/program/program-error.js'

/** A built program: its content, and what it says about itself. */
export interface InspectedProgram extends LoadedProgram {
  readonly description: ProgramDescription
}

/** Prints what a program prints while it is loaded. */
const printed: Logger = {
  ...silentLogger,
  info: (_fields: LogFields, message: string) => console.error(`the program prints: ${message}`),
}

/**
 * Loads a built program as an operator does: within the limits, by its digest if there is one, in a process of its own.
 * Throws `PluginError` `PROGRAM_REFUSED`.
 */
export async function inspectProgram(file: string, digest?: string): Promise<InspectedProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'vcluster-plugin-program-'))
  try {
    const path = resolve(file)
    const source = { url: pathToFileURL(path).href, digest }
    const limits = {
      allowList: new AllowList({ allow: [] }),
      folder: dirname(path),
    }
    const loaded = await loadProgram(source, limits)
    const options = { cache: new ProgramCache(folder), logger: printed }
    return { ...loaded, description: await describeProgram(loaded, options) }
  } catch (cause) {
    if (!(cause instanceof ProgramError)) throw cause
    throw new PluginError('PROGRAM_REFUSED', `${file} is not a program for Modules: ${cause.message}`, {
      cause,
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
