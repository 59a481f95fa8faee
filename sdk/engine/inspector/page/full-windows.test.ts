import t from 'tap'
import { fullWindows } from './full-windows.js'

const window = (startMs: number, runs: number) => ({
  startMs,
  runs,
  failures: 0,
  waiting: 1,
  p50Ms: 1,
  p99Ms: 2,
})

void t.test('windows without a run are there with no runs, except the one that is not over', (t) => {
  const windows = [window(5000, 1), window(20_000, 2)]
  const shown = (nowMs: number) =>
    fullWindows({ windows, windowMs: 5000 }, nowMs).map(({ startMs, runs, waiting }) => [
      startMs,
      runs,
      waiting,
    ])
  const gap = [
    [5000, 1, 1],
    [10_000, 0, null],
    [15_000, 0, null],
    [20_000, 2, 1],
  ]
  t.same(shown(29_999), gap)
  t.same(shown(30_001), [...gap, [25_000, 0, null]])
  t.same(fullWindows({ windows: [], windowMs: 5000 }, 30_000), [])
  t.end()
})
