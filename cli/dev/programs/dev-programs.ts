import { type Description, describeAnyProgram } from '../../program/describe-program.js'
import { sdkSources } from '../sdk-sources.js'
import { untilLoadable } from '../until-loadable.js'
import { watchedFiles } from '../watched-files.js'
import { type DevProgram, type DevProgramOptions, programNamespace } from './dev-program.js'

/**
 * Makes what runs the program of a folder, by the kind of its description. If its sources cannot be loaded it waits for a save,
 * unless they are not watched. A program that fails otherwise is run as a plugin, which reports the failure. Undefined if `signal` aborts before.
 */
export async function devProgram(
  parts: DevProgramOptions,
  signal: AbortSignal,
): Promise<DevProgram | undefined> {
  const description = await describe(parts, signal).catch(() => undefined)
  if (signal.aborted) return undefined
  switch (description?.kind) {
    case 'CnpgPluginDescription':
      return (await import('./cnpg.js')).cnpgProgram(parts, description)
    case 'OperatorDescription':
      return (await import('./operator.js')).operatorProgram(parts, description)
    default:
      return (await import('./plugin.js')).pluginProgram(parts, description)
  }
}

function describe({ plugin, options, report }: DevProgramOptions, signal: AbortSignal): Promise<Description> {
  const asked = { namespace: programNamespace, signal, onSlow: report.message }
  const attempt = () => describeAnyProgram(plugin, asked)
  if (!options.watch) return attempt()
  return untilLoadable(attempt, {
    roots: [plugin.path, ...sdkSources()],
    isWatchedFile: watchedFiles(plugin.path),
    onUnloadable: (failure) => report.unloadable(failure),
    signal,
  })
}
