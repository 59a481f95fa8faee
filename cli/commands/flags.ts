import type { Options } from 'yargs'
import { formats, type OutputFormat } from '../terminal/output.js'

/** The flags of a command: the options of each by its name. */
export type FlagTable = Readonly<Record<string, Options>>

/** The examples in the help of a command, in their order. */
export type Examples = [command: string, effect: string][]

/** A flag with a text as its value. */
export const textFlag = (describe: string, otherOptions: Options = {}): Options => ({
  type: 'string',
  requiresArg: true,
  describe,
  ...otherOptions,
})

/** A flag without a value; default false. */
export const booleanFlag = (describe: string): Options => ({ type: 'boolean', default: false, describe })

/** The flag `-o`, with the default format of a command. */
export const outputFlag = (fallback: OutputFormat): Options =>
  textFlag('Output format', { alias: 'o', choices: formats, default: fallback })

/** The format that `-o` names; yargs has rejected other values. */
export function formatOf(value: string): OutputFormat {
  return formats.find((format) => format === value) ?? 'table'
}
