import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import type { Transport } from '../transport/transport.js'
import { readWatch, type WatchLine } from './watch-stream.js'

/** Reads a watch that sends these lines. */
async function reading(lines: readonly string[]): Promise<WatchLine[]> {
  async function* chunks() {
    for (const line of lines) yield new TextEncoder().encode(`${line}\n`)
  }
  const transport: Transport = {
    request: () => Promise.reject(new Error('a watch is a stream')),
    stream: async () => ({ status: 200, headers: {}, chunks: chunks() }),
    close: async () => {},
  }
  const read: WatchLine[] = []
  const options = { transport, path: '/', clock: new VirtualClock(), silenceMs: 1000, maxLineBytes: 1000 }
  const { signal } = new AbortController()
  await readWatch({ ...options, signal, onOpen: () => {} }, (lines) => {
    for (const line of lines) if ('type' in line) read.push(line)
    return undefined
  })
  return read
}

void t.test('a line that is not a watch event ends the watch, and none of it is used', async (t) => {
  const odd = [
    '{}',
    'null',
    '[]',
    '{"type":"ADDED"}',
    '{"type":"BOOKMARK","object":{}}',
    '{"type":"BOOKMARK","object":null}',
    '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":""}}}',
    '{"type":"ERROR","object":{}}',
    '{"type":"ERROR","object":null}',
  ]
  for (const line of odd)
    await t.rejects(reading([line]), { message: /not a watch event: something in between/ }, line)
  const events = [
    '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"7"}}}',
    '{"type":"ERROR","object":{"kind":"Status","code":410}}',
    '{"type":"LATER","object":{}}',
  ]
  t.same(
    (await reading(events)).map(({ type }) => type),
    ['BOOKMARK', 'ERROR', 'LATER'],
  )
  await t.rejects(reading(['<html>']), { name: 'SyntaxError' })
})
