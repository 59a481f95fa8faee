import { systemClock as clock } from '../../sdk/engine/time/clock.js'
import type { PluginProcess } from '../program/plugin-process.js'
import { PluginSupervisor } from './plugin-supervisor.js'
import type { DevProgramOptions } from './programs/dev-program.js'

/**
 * Creates the supervisor that starts the process of a user's program in `dev`, and restarts the process after a crash.
 * Each start and crash is shown. With `--watch`, a program that cannot be loaded is started again when its sources
 * change.
 */
export function createSupervisor(
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
