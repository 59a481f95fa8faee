import { setUpFailedCode } from './boundary/namespaces-launch.js'

/** The known facts about the end of a process. */
export interface ProcessEnd {
  readonly exitCode: number | null
  readonly signal: string | null
  /** Why the operator ended the process. */
  readonly killedBecause?: string | undefined
  /** The error that the process reported last. */
  readonly failure?: string | undefined
  /** The last lines of the standard error of the process. */
  readonly lastLines: readonly string[]
  readonly memoryMb: number
}

/** One clause that says why a process ended. */
export function explainEnd(end: ProcessEnd): string {
  if (end.killedBecause !== undefined) return end.killedBecause
  if (end.failure !== undefined) return `an error outside of a call: ${end.failure}`
  if (end.lastLines.some((line) => line.includes('heap out of memory')))
    return `it needed more than ${end.memoryMb} MiB of memory; make it need less, or raise memoryMb`
  if (end.exitCode === setUpFailedCode)
    return `its namespaces could not be set up: ${end.lastLines.at(-1) ?? 'nothing was printed'}`
  if (end.signal !== null) return `it was killed by ${end.signal}`
  return `it exited with ${end.exitCode}; a program must not call process.exit`
}
