import { parseJson } from '../../sdk/engine/kube/json.js'
import type { EventStream, StreamedEvent } from './cluster-under-test.js'

/** Reads the lines of a watch as events. `end` is called once, when no more are read. */
export function eventStream(chunks: AsyncIterable<Uint8Array>, end: () => void): EventStream {
  const events = readEvents(chunks)
  const next = async () => {
    const result = await events.next()
    return result.done ? undefined : result.value
  }
  const take = async (count: number) => {
    const taken: StreamedEvent[] = []
    while (taken.length < count) {
      const event = await next()
      if (event === undefined) throw new Error(`the watch ended after ${taken.length} of ${count} events`)
      taken.push(event)
    }
    return taken
  }
  return { next, take, close: end, [Symbol.asyncIterator]: () => events }
}

async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StreamedEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield parseJson(line) as StreamedEvent
  }
}
