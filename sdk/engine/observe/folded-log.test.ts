import t from 'tap'
import { FoldedLog } from './folded-log.js'

const options = { from: '/plugin', sdk: ['/sdk/'] }
const errorAt = (place: string, message = 'no data') =>
  Object.assign(new TypeError(message), { stack: `TypeError: ${message}\n    at sync (/plugin/${place})` })

void t.test('a line without an error is shown each time, with its fields', async (t) => {
  const log = new FoldedLog(options)
  const line = () => log.lines('oh', { key: 'a/b', words: 'two words', count: 2 })
  t.strictSame(line(), ['oh  key=a/b words="two words" count=2'])
  t.strictSame(line(), ['oh  key=a/b words="two words" count=2'])
  t.strictSame(log.lines('oh', {}), ['oh'])
})

void t.test('large integers are shown, and characters that turn the direction of text are not', async (t) => {
  const line = new FoldedLog(options).lines('oh', { id: 2n ** 60n, of: { id: 7n }, name: 'a\u202eb' })
  t.strictSame(line, ['oh  id="1152921504606846976" of={"id":"7"} name=a\\u202eb'])
})

void t.test(
  'an error is shown once with its place, then counted at the 10th and the 100th time',
  async (t) => {
    const log = new FoldedLog(options)
    const told: string[] = []
    for (let i = 1; i <= 120; i++)
      told.push(...log.lines('syncing failed', { key: `a/${i}`, error: errorAt('s.ts:1:2') }))
    t.strictSame(told, [
      'syncing failed  key=a/1 error="no data"',
      '  at sync (s.ts:1:2)',
      'syncing failed  key=a/10 error="no data"  (10 times so far)',
      'syncing failed  key=a/100 error="no data"  (100 times so far)',
    ])
  },
)

void t.test('another message, place or line of the log is another error', async (t) => {
  const log = new FoldedLog(options)
  const shown = (message: string, error: Error) => log.lines(message, { error }).length
  t.equal(shown('syncing failed', errorAt('s.ts:1:2')), 2)
  t.equal(shown('syncing failed', errorAt('s.ts:9:2')), 2)
  t.equal(shown('syncing failed', errorAt('s.ts:1:2', 'other')), 2)
  t.equal(shown('a hook denied', errorAt('s.ts:1:2')), 1, 'its place was shown already')
  t.equal(shown('a hook denied', errorAt('s.ts:1:2')), 0)
  log.clear()
  t.equal(shown('a hook denied', errorAt('s.ts:1:2')), 2, 'after a restart it is new')
})

void t.test('repeats may be shown, without their place', async (t) => {
  const log = new FoldedLog({ ...options, showsRepeats: true })
  const line = () => log.lines('syncing failed', { error: errorAt('s.ts:1:2') })
  t.equal(line().length, 2)
  t.strictSame(line(), ['syncing failed  error="no data"'])
})

void t.test('of many distinct errors only the latest are remembered', async (t) => {
  const log = new FoldedLog(options)
  const line = (message: string) => log.lines('failed', { error: errorAt('s.ts:1:2', message) }).length
  for (let i = 0; i < 200; i++) line(`object ${i}`)
  t.equal(line('object 0'), 0, 'which is now the latest')
  line('one more')
  t.equal(line('object 0'), 0)
  t.equal(line('object 1'), 2, 'it was forgotten')
})
