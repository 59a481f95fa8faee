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

/** A built program with its description, which the program itself returns. */
export interface InspectedProgram extends LoadedProgram {
  readonly description: ProgramDescription
}

/** Passes on the output of a program while it is described. */
const programOutput: Logger = {
  ...silentLogger,
  info: (_fields: LogFields, message: string) => console.error(`the program prints: ${message}`),
}

/**
 * Loads a built program as an operator does: it checks the size and the digest, if one is given, and describes the
 * program in a child process. Throws `PluginError` `PROGRAM_REFUSED`.
 */
export async function inspectProgram(file: string, digest?: string): Promise<InspectedProgram> {
  const cacheFolder = await mkdtemp(join(tmpdir(), 'vcluster-plugin-program-'))
  try {
    const path = resolve(file)
    const source = { url: pathToFileURL(path).href, digest }
    const allowNoServer = new AllowList({ allow: [] })
    const loaded = await loadProgram(source, { allowList: allowNoServer, folder: dirname(path) })
    const options = { cache: new ProgramCache(cacheFolder), logger: programOutput }
    return { ...loaded, description: await describeProgram(loaded, options) }
  } catch (cause) {
    if (!(cause instanceof ProgramError)) throw cause
    if (isMissing(cause.cause))
      throw new PluginError(
        'PROGRAM_REFUSED',
        `there is no file ${file}; correct the path, or build it with: vcluster-plugin module build`,
        { cause },
      )
    const cure = isScript(file) ? '' : `; pass the file that vcluster-plugin module build writes`
    const message = `${file} is not a program for Modules: ${cause.message}${cure}`
    throw new PluginError('PROGRAM_REFUSED', message, { cause })
  } finally {
    await rm(cacheFolder, { recursive: true, force: true })
  }
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Whether a file has the name of a built program. */
const isScript = (file: string) => /\.[cm]?js$/.test(file)
