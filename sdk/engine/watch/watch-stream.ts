import { parseJson } from '../kube/json.js'
import type { KubeObject } from '../kube/object.js'
import type { Clock } from '../time/clock.js'
import { eachChunk } from '../transport/each-chunk.js'
import { apiErrorOf, isStatus } from '../transport/refusal.js'
import type { Transport, TransportStream } from '../transport/transport.js'
import { type EventHead, scanHead } from './event-head.js'
import { LineSplitter } from './line-splitter.js'
import { SilenceTimer, SilentWatchError } from './silence-timer.js'

/** How much of a refusal's body is read, in bytes. */
const maxRefusalBytes = 1024 * 1024

/** A line of a watch: ADDED, MODIFIED, DELETED or BOOKMARK with an object, or ERROR with a Status. */
export interface WatchLine {
  type: string
  object: unknown
  /** The size of the line, in bytes. */
  bytes: number
}

/** A line of a watch that is not parsed yet, because its head may be enough. */
export interface UnreadLine {
  head: EventHead
  text: Uint8Array
  bytes: number
}

/** Options of {@link readWatch}. */
export interface WatchStreamOptions {
  transport: Transport
  /** Path and query of the watch. */
  path: string
  /** The media type to ask for; default JSON. */
  accept?: string
  clock: Clock
  /** The time without a single byte after which the watch is aborted, in milliseconds. */
  silenceMs: number
  /** The longest line that is accepted, in bytes. */
  maxLineBytes: number
  signal: AbortSignal
  /** Called once the server has accepted the watch. */
  onOpen: () => void
  /** Whether lines are not parsed at present if their head can be read; default never. */
  readsHeads?: () => boolean
}

/** Handles the lines of one chunk. The next chunk is read when the returned promise has resolved. */
export type LineHandler = (lines: readonly (WatchLine | UnreadLine)[]) => Promise<void> | undefined

/**
 * Sends one watch request and calls `handleLines` with the lines of each chunk. Resolves when the server ends the
 * watch. Rejects with `ApiError` if the server refuses, with `SilentWatchError` after silence, with the error of
 * `handleLines`, and with any other error if the stream breaks or is invalid.
 */
export async function readWatch(options: WatchStreamOptions, handleLines: LineHandler): Promise<void> {
  const { transport, path, accept = 'application/json', clock, silenceMs, signal, onOpen } = options
  signal.throwIfAborted()
  const stop = new AbortController()
  const onAbort = () => stop.abort(signal.reason)
  const silence = new SilenceTimer(clock, silenceMs, () => stop.abort(silentWatchError(silenceMs)))
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    const stream = await transport.stream({ method: 'GET', path, headers: { accept }, signal: stop.signal })
    if (stream.status !== 200)
      throw apiErrorOf(`WATCH ${path}`, { ...stream, body: await readRefusal(stream) })
    onOpen()
    const splitter = new LineSplitter(options.maxLineBytes)
    await eachChunk(stream.chunks, (chunk) => {
      silence.heard()
      return handleLines(splitter.push(chunk).map((text) => lineOf(text, options)))
    })
    splitter.end()
  } finally {
    silence.stop()
    signal.removeEventListener('abort', onAbort)
  }
}

/** A line of the stream: parsed, or only its head if that is enough at present. */
function lineOf(text: Uint8Array, { readsHeads }: WatchStreamOptions): WatchLine | UnreadLine {
  const head = readsHeads?.() ? scanHead(text) : undefined
  return head ? { head, text, bytes: text.byteLength } : readLine(text)
}

function silentWatchError(silenceMs: number): SilentWatchError {
  return new SilentWatchError(`the API server sent neither an event nor a bookmark for ${silenceMs} ms`)
}

/** Parses a line. Throws if it is not a watch event. */
export function readLine(line: Uint8Array): WatchLine {
  const value = parseJson(line)
  if (typeof value === 'object' && value !== null && 'type' in value && 'object' in value) {
    const event = { type: String(value.type), object: value.object, bytes: line.byteLength }
    if (isComplete(event)) return event
  }
  throw new Error(
    'a line of the watch is not a watch event: something in between may have answered in place of the API server',
  )
}

/** Whether a line is complete: a bookmark needs its resourceVersion, and an error needs its Status. */
function isComplete({ type, object }: WatchLine): boolean {
  if (type === 'ERROR') return isStatus(object)
  if (type !== 'BOOKMARK') return true
  const { resourceVersion } = (object as Partial<KubeObject> | null)?.metadata ?? {}
  return typeof resourceVersion === 'string' && resourceVersion !== ''
}

/** Reads the body of an answer that refuses the watch, up to a limit. */
async function readRefusal(stream: TransportStream): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of stream.chunks) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > maxRefusalBytes) break
  }
  return Buffer.concat(chunks)
}
