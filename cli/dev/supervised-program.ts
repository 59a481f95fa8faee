import { systemClock as clock } from '../../sdk/engine/time/clock.js'
import type { PluginProcess } from '../program/plugin-process.js'
import { PluginSupervisor } from './plugin-supervisor.js'
import type { DevProgramOptions } from './programs/dev-program.js'

/**
 * The supervisor of a program's process, which reports each start and each end. With `--watch`, a program that cannot
 * be loaded waits for a change of its sources.
 */
export function supervisedProgram(
  { options, plugin, report }: DevProgramOptions,
  spawn: () => PluginProcess,
): PluginSupervisor {
  return new PluginSupervisor({
    folder: plugin.folder,
    spawn,
    onStart: (pid) => report.pluginStarted(plugin, pid),
    onCrash: (reason, delayMs) => report.pluginCrashed(reason, delayMs),
    onUnloadable: options.watch ? (failure) => report.unloadable(failure) : undefined,
    clock,
  })
}
