import t from 'tap'
import { type Figures, rowsOf } from './figures.js'

const figures: Figures = {
  program: 'operator',
  kind: 'Backup',
  objects: 500,
  changes: 200,
  cold: { ms: 2500, writes: 1000, cpuMs: 1234, peakMiB: 98.76 },
  latenciesMs: Array.from({ length: 200 }, (_, at) => 200 - at),
}

void t.test('the table has rates, and percentiles by the nearest rank', (t) => {
  t.strictSame(rowsOf(figures), [
    ['FIGURE', 'VALUE'],
    ['500 × Backup, until all are ready', '2.5 s'],
    ['objects per second', '200'],
    ['writes per object', '2'],
    ['CPU time', '1,230 ms'],
    ['peak memory', '98.8 MiB'],
    ['200 creations, p50', '100 ms'],
    ['p99', '198 ms'],
  ])
  t.equal(figures.latenciesMs[0], 200, 'the latencies keep their order')
  t.end()
})

void t.test('a plugin is measured by its copies, and without Linux there is no usage', (t) => {
  const cold = { ms: 1000, writes: 1 }
  t.strictSame(
    rowsOf({ ...figures, program: 'plugin', objects: 1, changes: 1, cold, latenciesMs: [3.456] }),
    [
      ['FIGURE', 'VALUE'],
      ['1 × Backup, to the last copy', '1 s'],
      ['copies per second', '1'],
      ['writes per object', '1'],
      ['1 changes, p50', '3.46 ms'],
      ['p99', '3.46 ms'],
    ],
  )
  t.end()
})
