/** The cost of installing releases, and of looking at them again when nothing has changed. */
export interface Figures {
  /** From the start of a program until a first release is deployed. */
  readonly startSeconds: number
  /** Until all releases are deployed, with the start. */
  readonly seconds: number
  readonly cpuSeconds: number
  readonly writes: number
  readonly idleWrites: number
  readonly idleCpuSeconds: number
  /** Only of programs that stay. */
  readonly restMiB?: number
  readonly peakMiB?: number
}

/** The figures in the order of the report. */
export const columns: readonly [title: string, key: keyof Figures, digits: number][] = [
  ['first release, s', 'startSeconds', 2],
  ['all deployed, s', 'seconds', 1],
  ['CPU of that, s', 'cpuSeconds', 1],
  ['writes', 'writes', 0],
  ['nothing to do: writes', 'idleWrites', 0],
  ['CPU of that, s', 'idleCpuSeconds', 2],
  ['memory at rest, MiB', 'restMiB', 0],
  ['peak memory, MiB', 'peakMiB', 0],
]
