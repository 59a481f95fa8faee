import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { KeyHistory } from './key-history.js'
import { ofKind } from './kind-names.js'
import { LagWindows } from './lag-windows.js'
import { fold } from './page/fold.js'

void t.test('a kind has the names that kubectl takes for it, its own before short ones', async (t) => {
  const of = (group: string, kind: string, plural: string) => ({
    resource: { group, version: 'v1', kind, plural, namespaced: true },
  })
  const [cars, carts, pods] = [
    of('example.com', 'Car', 'cars'),
    of('x.y', 'Cart', 'carts'),
    of('', 'Pod', 'pods'),
  ]
  const others: Record<string, string[]> = { cars: ['auto', 'c'], carts: ['c', 'pods'], pods: ['pod', 'po'] }
  const asked: string[] = []
  const found = async (name: string) =>
    ofKind([cars, carts, pods], name, async ({ plural }) => {
      asked.push(plural)
      return others[plural] ?? []
    })
  for (const name of ['Car', 'cars', 'CARS.example.com', 'cars.v1.example.com', 'car.example.com'])
    t.same(await found(name), [cars], name)
  t.same(await found('pods'), [pods], 'not what has it as a short name')
  t.same(asked, [], 'the cluster is not asked for what is known')
  t.same(await found('c'), [cars, carts])
  t.same(await found('c.x.y'), [carts])
  t.same(await found('auto'), [cars])
  t.same(await found('cars.other.com'), [])
})

void t.test('the page that is served is made from its sources', async (t) => {
  const script = fileURLToPath(new URL('../../../scripts/inspector-page.mjs', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--print'])
  const made = await readFile(new URL('./gen/page-files.ts', import.meta.url), 'utf8')
  t.ok(made === stdout, 'make it again with npm run page')
})

void t.test('the history is bounded, and the last changed keys stay', async (t) => {
  const history = new KeyHistory<number>({ maxSubjects: 2, maxEntries: 3 })
  for (const n of [1, 2, 3, 4]) history.add('a', n)
  history.add('b', 1)
  history.add('a', 5)
  history.add('c', 1)
  t.same([history.of('a'), history.of('b'), history.of('c')], [[3, 4, 5], [], [1]])
})

void t.test('lag is shown by window, and forgotten after five minutes', async (t) => {
  const clock = new VirtualClock()
  const lag = new LagWindows(clock)
  t.same([lag.windows(), lag.quantileMs(0.5), lag.perSecond], [[], null, 0])
  for (let n = 0; n < 98; n++) lag.add(false, 1)
  lag.add(false, 1000)
  lag.add(true, undefined)
  t.ok(lag.perSecond > 0)
  const near = (value: number | null, expected: number) =>
    value !== null && value >= expected && value < expected * 1.26
  t.ok(near(lag.quantileMs(0.5), 1) && near(lag.quantileMs(0.995), 1000))
  t.match(lag.windows(), [{ runs: 100, failures: 1 }])
  await clock.advance(60_000)
  lag.add(false, 50)
  t.match(lag.windows(), [{ runs: 100 }, { runs: 1 }])
  await clock.advance(270_000)
  t.match(lag.windows(), [{ runs: 1 }])
  for (let n = 0; n < 200; n++) {
    lag.add(false, 10)
    await clock.advance(5000)
  }
  t.ok(lag.windows().length <= 60)
  t.ok(near(lag.quantileMs(0.99), 10), 'a window that is used again begins empty')
})

void t.test('entries of a timeline that are alike share a row', (t) => {
  const run = (atMs: number, error?: string) =>
    ({ what: 'run', atMs, result: 'error', durationMs: atMs, ...(error && { error }) }) as const
  const change = { what: 'change', atMs: 9, side: 'host', verb: 'changed', resourceVersion: '1' } as const
  const folded = fold([run(1, 'a'), run(2, 'a'), run(3, 'b'), change, { ...change, resourceVersion: '2' }])
  t.strictSame(
    folded.map(({ times, sinceMs, entry }) => [times, sinceMs, entry.atMs]),
    [
      [2, 1, 2],
      [1, 3, 3],
      [2, 9, 9],
    ],
  )
  t.end()
})
