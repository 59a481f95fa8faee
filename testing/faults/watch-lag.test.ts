import t from 'tap'
import { type LagMode, WatchLag } from './watch-lag.js'

/** The events that a watch delivers, of these chunks of a server. */
async function delivered(mode: LagMode, chunks: readonly string[]): Promise<string[]> {
  const lag = new WatchLag()
  lag.mode = mode
  const stream = (async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk)
  })()
  const events: string[] = []
  for await (const chunk of lag.pass(stream)) events.push(Buffer.from(chunk).toString())
  return events
}

void t.test('an event is repeated before the next one, also if a chunk holds several', async (t) => {
  t.same(await delivered('repeat', ['first\nsecond\n', 'third\n']), [
    'first\n',
    'first\n',
    'second\n',
    'second\n',
    'third\n',
    'third\n',
  ])
})

void t.test('an event in two chunks is passed on as one', async (t) => {
  t.same(await delivered('repeat', ['fi', 'rst\nsecond\n']), ['first\n', 'first\n', 'second\n', 'second\n'])
  t.same(await delivered('none', ['fi', 'rst\n']), ['first\n'])
})
