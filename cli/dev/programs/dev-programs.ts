import { PluginError } from '../../../sdk/engine/kube/error.js'
import { type Description, describeAnyProgram } from '../../program/describe-program.js'
import { isFailureMessage } from '../../program/failure.js'
import { sdkSources } from '../sdk-sources.js'
import { untilLoadable } from '../until-loadable.js'
import { watchedFiles } from '../watched-files.js'
import { type DevProgram, type DevProgramOptions, programNamespace } from './dev-program.js'

/**
 * Makes the `DevProgram` for a folder, by the kind of its description. If its sources cannot be loaded it waits for
 * a save, unless they are not watched. Undefined if `signal` aborts before. Throws a `PluginError` `PLUGIN_FAILED` or
 * `NO_DESCRIPTION` for a program that fails or prints no description: which clusters it needs is not known then, so it
 * is not run.
 */
export async function devProgram(
  programOptions: DevProgramOptions,
  signal: AbortSignal,
): Promise<DevProgram | undefined> {
  const description = await describe(programOptions, signal).catch((error: unknown) =>
    unlessAborted(error, programOptions, signal),
  )
  if (description === undefined || signal.aborted) return undefined
  switch (description.kind) {
    case 'CnpgPluginDescription':
      return (await import('./cnpg.js')).cnpgProgram(programOptions, description)
    case 'OperatorDescription':
      return (await import('./operator.js')).operatorProgram(programOptions, description)
    case 'PluginDescription':
      return (await import('./plugin.js')).pluginProgram(programOptions, description)
  }
}

/** Throws the error, in words if the program itself failed; returns if the user has stopped `dev` meanwhile. */
function unlessAborted(error: unknown, { plugin }: DevProgramOptions, signal: AbortSignal): undefined {
  if (signal.aborted) return undefined
  const failure = error instanceof PluginError ? error.cause : undefined
  if (!isFailureMessage(failure)) throw error
  throw new PluginError(
    'PLUGIN_FAILED',
    `the program in ${plugin.folder} failed at start: ${failure.message}`,
  )
}

/** The description of the program; with `--watch` it is asked again after each save until the sources can be loaded. */
function describe({ plugin, options, report }: DevProgramOptions, signal: AbortSignal): Promise<Description> {
  const describeOptions = { namespace: programNamespace, signal, onSlow: report.message }
  const attempt = () => describeAnyProgram(plugin, describeOptions)
  if (!options.watch) return attempt()
  return untilLoadable(attempt, {
    roots: [plugin.path, ...sdkSources()],
    isWatchedFile: watchedFiles(plugin.path),
    onUnwatched: report.unwatched,
    onUnloadable: (failure) => report.unloadable(failure),
    signal,
  })
}
