import type { Options } from 'yargs'
import type { Mode } from '../../sdk/vcluster/plugin/mode.js'

/** The modes of a plugin. */
export const modes: readonly Mode[] = ['sidecar', 'in-syncer', 'standalone']

/** The versions of vcluster's plugin protocol, as aliases of the modes that use them. */
const aliases: Readonly<Record<string, Mode>> = { v1: 'sidecar', v2: 'in-syncer' }

/** The flag `--mode` of a command; it accepts `v1` for `sidecar` and `v2` for `in-syncer`. */
export const modeOption = (otherOptions: Options = {}): Options => ({
  type: 'string',
  requiresArg: true,
  describe: 'Mode of the plugin (v1 is sidecar, v2 is in-syncer)',
  choices: [...modes, ...Object.keys(aliases)],
  ...otherOptions,
})

/** The mode for a value of `--mode`; yargs has rejected other values. */
export function parseMode(value: string): Mode {
  return modes.find((mode) => mode === value) ?? aliases[value] ?? 'sidecar'
}
