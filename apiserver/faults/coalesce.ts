import { parseJson, stringifyJson } from '../../sdk/engine/kube/json.js'
import { textAt } from '../base/object.js'

interface Event {
  readonly type: string
  readonly object: unknown
}

/**
 * Collects the events of a watch until `wait` resolves, beginning with the first event, and yields their net result.
 */
export async function* coalesce(
  body: AsyncIterable<Uint8Array>,
  wait: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const source = body[Symbol.asyncIterator]()
  let next = source.next()
  try {
    for (let step = await next; step.done !== true; step = await next) {
      const events = new EventWindow()
      const over = wait()
      let current: IteratorResult<Uint8Array, unknown> | undefined = step
      while (current !== undefined && current.done !== true) {
        events.add(current.value)
        next = source.next()
        current = await Promise.race([next, over.then(() => undefined)])
      }
      const text = events.text()
      if (text !== '') yield Buffer.from(text)
    }
  } finally {
    await source.return?.()
  }
}

/** The net result of an earlier and a later event about one object: ADDED and then DELETED is nothing. */
function mergeEventTypes(earlier: string, later: string): string | undefined {
  if (earlier === 'ADDED') return later === 'DELETED' ? undefined : 'ADDED'
  return earlier === 'DELETED' && later === 'ADDED' ? 'MODIFIED' : later
}

class EventWindow {
  readonly #events = new Map<string, Event>()
  #unnamed = 0

  add(chunk: Uint8Array): void {
    for (const line of Buffer.from(chunk).toString('utf8').split('\n')) {
      if (line !== '') this.#addEvent(parseJson(line) as Event)
    }
  }

  text(): string {
    return [...this.#events.values()].map((event) => `${stringifyJson(event)}\n`).join('')
  }

  #addEvent({ type, object }: Event): void {
    const key = this.#keyOf(object)
    const earlier = this.#events.get(key)
    const mergedType = earlier === undefined ? type : mergeEventTypes(earlier.type, type)
    // Removed first, so that it takes the place of the later one.
    this.#events.delete(key)
    if (mergedType !== undefined) this.#events.set(key, { type: mergedType, object })
  }

  /** Bookmarks, errors and tables name no object; each stays by itself. */
  #keyOf(object: unknown): string {
    const name = textAt(object, 'metadata', 'name')
    return name === '' ? `#${this.#unnamed++}` : `${textAt(object, 'metadata', 'namespace')}/${name}`
  }
}
