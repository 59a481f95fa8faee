/** The results of `vcluster-plugin bench`. */
export interface Figures {
  kind: string
  objects: number
  changes: number
  /** From the start of the plugin's process to the last copy. */
  cold: {
    ms: number
    /** Number of changes of copies until then. */
    writes: number
    /** CPU time of the plugin's process; undefined except on Linux. */
    cpuMs?: number
    peakMiB?: number
  }
  /** Time from each change of an original to the change of its copy, in the order of the changes. */
  latenciesMs: number[]
}

/** The figures as a table with a header. */
export function rowsOf({ kind, objects, changes, cold, latenciesMs }: Figures): string[][] {
  const sorted = latenciesMs.toSorted((a, b) => a - b)
  const at = (share: number) => `${short(sorted[Math.ceil(sorted.length * share) - 1] ?? 0)} ms`
  const usage = (name: string, value: number | undefined, unit: string) =>
    value === undefined ? [] : [[name, `${short(value)} ${unit}`]]
  return [
    ['FIGURE', 'VALUE'],
    [`${objects} × ${kind}, to the last copy`, `${short(cold.ms / 1000)} s`],
    ['copies per second', short((objects * 1000) / cold.ms)],
    ['writes per object', short(cold.writes / objects)],
    ...usage('CPU time', cold.cpuMs, 'ms'),
    ...usage('peak memory', cold.peakMiB, 'MiB'),
    [`${changes} changes, p50`, at(0.5)],
    ['p99', at(0.99)],
  ]
}

const short = (value: number) => Number(value.toPrecision(3)).toLocaleString('en-US')
