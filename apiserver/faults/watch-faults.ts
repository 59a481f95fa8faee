import type { ServerClock } from '../base/clock.js'
import { coalesce } from './coalesce.js'
import { ConnectionReset } from './connection-reset.js'
import type { CutWatchFault, ResetWatchFault, StallWatchFault } from './fault-action.js'
import type { Hit } from './faults.js'
import { pause, untilAborted } from './pause.js'

/** The body of a watch: chunks of whole lines. */
export type WatchBody = AsyncIterable<Uint8Array>

/** The context of functions that hold back events. */
export interface WatchFaultContext {
  readonly clock: ServerClock
  /** Signals that end the watch. */
  readonly ending: readonly AbortSignal[]
}

/** The watch with the effect of a rule; actions that do not affect watch events return it unchanged. */
export function disturbWatch(
  body: WatchBody,
  { action, removalSignal }: Hit,
  context: WatchFaultContext,
): WatchBody {
  const { clock, ending } = context
  switch (action.type) {
    case 'resetWatch':
      return resetMidLine(body, action)
    case 'cutWatch':
      return cut(body, action, { clock, ending: [...ending, removalSignal] })
    case 'stallWatch':
      return stall(body, action, { released: removalSignal, ending })
    case 'delayEvents':
      return delay(body, () => pause(clock, action.delayMs, [...ending, removalSignal]))
    case 'duplicateEvents':
      return duplicate(body)
    case 'coalesceEvents':
      return coalesce(body, () => pause(clock, action.windowMs, [...ending, removalSignal]))
    default:
      return body
  }
}

const lineFeed = 10

/** The lines of a chunk, each with the line feed that ends it. */
function* linesOf(chunk: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < chunk.byteLength; ) {
    const lineEnd = chunk.indexOf(lineFeed, from)
    const to = lineEnd < 0 ? chunk.byteLength : lineEnd + 1
    yield chunk.subarray(from, to)
    from = to
  }
}

async function* lines(body: WatchBody): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) yield* linesOf(chunk)
}

async function* resetMidLine(
  body: WatchBody,
  { afterEvents = 0, wholeConnection = false }: ResetWatchFault,
): WatchBody {
  let sent = 0
  for await (const line of lines(body)) {
    if (sent === afterEvents) {
      yield line.subarray(0, line.byteLength >> 1)
      throw new ConnectionReset(wholeConnection)
    }
    sent += 1
    yield line
  }
}

async function* cut(
  body: WatchBody,
  { afterMs, wholeConnection = false }: CutWatchFault,
  { clock, ending }: WatchFaultContext,
): WatchBody {
  const readerLeft = new AbortController()
  const signals = [...ending, readerLeft.signal]
  const over = pause(clock, afterMs, signals).then(() => signals.every(({ aborted }) => !aborted))
  const broken = over.then((isCut) => (isCut ? undefined : new Promise<never>(() => {})))
  const source = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const step = await Promise.race([source.next(), broken])
      if (step === undefined) throw new ConnectionReset(wholeConnection)
      if (step.done === true) return
      yield step.value
    }
  } finally {
    readerLeft.abort()
    // Not awaited, because it would wait for the next event.
    void source.return?.()
  }
}

interface StallEnd {
  readonly released: AbortSignal
  readonly ending: readonly AbortSignal[]
}

async function* stall(
  body: WatchBody,
  { afterEvents = 0 }: StallWatchFault,
  { released, ending }: StallEnd,
): WatchBody {
  let sent = 0
  for await (const line of lines(body)) {
    if (sent >= afterEvents) await untilAborted([released, ...ending])
    if (ending.some(({ aborted }) => aborted)) return
    sent += 1
    yield line
  }
  // After the stall, the end of the watch by its timeout is held back, too.
  if (sent >= afterEvents) await untilAborted([released, ...ending])
}

async function* delay(body: WatchBody, wait: () => Promise<void>): WatchBody {
  for await (const chunk of body) {
    await wait()
    yield chunk
  }
}

async function* duplicate(body: WatchBody): WatchBody {
  for await (const line of lines(body)) {
    yield line
    yield line
  }
}
