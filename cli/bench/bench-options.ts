import type { FoundPlugin } from '../program/find-plugin.js'
import type { OutputFormat } from '../terminal/output.js'

/** Options of `vcluster-plugin bench`. */
export interface BenchOptions {
  folder: string
  objects: number
  changes: number
  sample: string | undefined
  output: OutputFormat
}

/** The program to measure, and the options of the measurement. */
export interface MeasureOptions extends Pick<BenchOptions, 'objects' | 'changes' | 'sample'> {
  program: FoundPlugin
  /** A folder for kubeconfigs, which is removed afterwards. */
  dir: string
}
