import type { Options } from 'yargs'
import type { Mode } from '../../sdk/plugin/mode.js'

/** The names of the modes, the same for every command. */
export const modes: readonly Mode[] = ['sidecar', 'in-syncer', 'standalone']

/** The versions of vcluster's plugin protocol, as other names of the modes that speak them. */
const aliases: Readonly<Record<string, Mode>> = { v1: 'sidecar', v2: 'in-syncer' }

/** The flag `--mode` of a command; `v1` and `v2` are accepted as other names of `sidecar` and `in-syncer`. */
export const modeOption = (rest: Options = {}): Options => ({
  type: 'string',
  requiresArg: true,
  describe: 'Mode of the plugin (v1 is sidecar, v2 is in-syncer)',
  choices: [...modes, ...Object.keys(aliases)],
  ...rest,
})

/** The mode that a value of `--mode` names; yargs has refused every other value. */
export function parseMode(value: string): Mode {
  return modes.find((mode) => mode === value) ?? aliases[value] ?? 'sidecar'
}
