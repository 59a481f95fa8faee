import t from 'tap'
import type { Series } from './figures.js'
import { fitLine, growthTable } from './growth.js'

void t.test('linear growth fits its line, and other growth is reported with its deviation', (t) => {
  const close = (value: number, wanted: number) =>
    t.ok(Math.abs(value - wanted) < 1e-9, `${value} is ${wanted}`)
  const line = fitLine([1000, 10_000, 50_000].map((n) => [n, 0.5 + n / 1000] as const))
  close(line.base, 0.5)
  close(line.perThousand, 1)
  close(line.residual, 0)
  t.ok(fitLine([1000, 10_000, 50_000].map((n) => [n, n * n] as const)).residual > 0.5)
  t.end()
})

void t.test('the table of growth needs three sizes', (t) => {
  const series = (n: number): Series => ({
    mirror: 'standalone',
    scenario: `cold ${n}`,
    runs: [
      {
        time: '',
        mirror: 'standalone',
        scenario: `cold ${n}`,
        run: 1,
        load: 0,
        metrics: { seconds: n / 1000 },
      },
    ],
  })
  t.same(growthTable([series(1000), series(10_000)], ['standalone']), [])
  const table = growthTable([series(1000), series(10_000), series(50_000)], ['standalone']).join('\n')
  t.match(table, /\| standalone, s \| 1 \| 10 \| 50 \| – \| .* \+ 1 n \| .* % \|/)
  const whole = [1000, 10_000, 50_000, 200_000].map(series)
  t.match(
    growthTable(whole, ['standalone']).join('\n'),
    /\| standalone, s \| 1 \| 10 \| 50 \| 200 \| .* \+ 1 n \|/,
  )
  t.end()
})
