/** `vcluster-plugin module check`: loads a built program as an operator does, and prints what it is. */
import { inspectProgram } from '../program-files/inspect-program.js'
import { programFacts } from './program-facts.js'

/** Options of `vcluster-plugin module check`. */
export interface CheckOptions {
  /** The built program. */
  file: string
  /** The digest that it must have; default any. */
  digest: string | undefined
}

/** Runs the command. Throws `PluginError` `PROGRAM_REFUSED`. */
export async function runCheck({ file, digest }: CheckOptions): Promise<void> {
  for (const line of programFacts(await inspectProgram(file, digest))) console.log(line)
}
