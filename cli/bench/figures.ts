/** The results of `vcluster-plugin bench`. */
export interface Figures {
  program: 'plugin' | 'operator'
  kind: string
  objects: number
  changes: number
  /** From the start of the program's process until the last object has its copy, or is ready. */
  cold: {
    ms: number
    /** The number of changes of copies, or of writes of the operator except of Leases and Events, until then. */
    writes: number
    /** CPU time of the program's process; undefined except on Linux. */
    cpuMs?: number
    peakMiB?: number
  }
  /**
   * The time from each change of an original to that of its copy, or from each creation until the object is ready, in
   * their order.
   */
  latenciesMs: number[]
}

const wordsOf = {
  plugin: { end: 'to the last copy', rate: 'copies per second', changes: 'changes' },
  operator: { end: 'until all are ready', rate: 'objects per second', changes: 'creations' },
}

/** The figures as a table with a header. */
export function rowsOf({ program, kind, objects, changes, cold, latenciesMs }: Figures): string[][] {
  const sorted = latenciesMs.toSorted((a, b) => a - b)
  const percentileText = (share: number) => `${short(sorted[Math.ceil(sorted.length * share) - 1] ?? 0)} ms`
  const usage = (name: string, value: number | undefined, unit: string) =>
    value === undefined ? [] : [[name, `${short(value)} ${unit}`]]
  const words = wordsOf[program]
  return [
    ['FIGURE', 'VALUE'],
    [`${objects} × ${kind}, ${words.end}`, `${short(cold.ms / 1000)} s`],
    [words.rate, short((objects * 1000) / cold.ms)],
    ['writes per object', short(cold.writes / objects)],
    ...usage('CPU time', cold.cpuMs, 'ms'),
    ...usage('peak memory', cold.peakMiB, 'MiB'),
    [`${changes} ${words.changes}, p50`, percentileText(0.5)],
    ['p99', percentileText(0.99)],
  ]
}

const short = (value: number) => Number(value.toPrecision(3)).toLocaleString('en-US')
