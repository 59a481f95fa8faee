import type { ApiError } from '../../sdk/engine/kube/error.js'
import type { ServerClock } from '../base/clock.js'
import type { WatchLine, WatchWriter } from '../output/watch-line.js'
import { expired, internalError } from '../request/status.js'
import { ConversionRequired } from '../resources/converter.js'
import type { Change } from '../store/entry.js'
import type { ReadableCollection } from '../store/readable.js'

/** The maximum number of changes in one chunk. */
const changesPerChunk = 500

/** Options of {@link WatchStream}. */
export interface WatchStreamOptions {
  readonly collection: ReadableCollection
  /** The start in the collection's history. */
  readonly cursor: number
  /** Lines to send first. */
  readonly initial: readonly Uint8Array[]
  /** Whether a bookmark ends the initial lines. */
  readonly initialBookmark: boolean
  /** The line for a change; undefined if the watch does not report the change. */
  readonly read: (change: Change) => WatchLine | undefined
  readonly writer: WatchWriter
  /** The server's current revision. */
  readonly revision: () => number
  /** The revision after which the watch was requested to start; bookmarks are never lower. */
  readonly after: number
  readonly clock: ServerClock
  /** Milliseconds between bookmarks; 0 for none. */
  readonly bookmarkIntervalMs: number
  /** Milliseconds until the stream ends by itself. */
  readonly timeoutMs: number
  /** Ends the stream after all pending changes. */
  readonly finishSignal: AbortSignal | undefined
  /** End the stream. */
  readonly signals: readonly AbortSignal[]
}

/** The time between the last bookmark and the end of a watch, in milliseconds. */
const lastBookmarkMs = 2000

/** The time after a conversion that failed until it is tried again, in milliseconds. */
const conversionRetryMs = 1000

type Step = IteratorResult<Uint8Array, undefined>

/**
 * The body of one watch. It queues nothing. It reads the collection's history when its reader asks for more,
 * so that a slow reader costs no memory. A reader that falls behind the history gets 410 and the stream ends.
 */
export class WatchStream implements AsyncIterableIterator<Uint8Array, undefined> {
  readonly #options: WatchStreamOptions
  readonly #cleanups: (() => void)[] = []
  /** The position of the next change in the history. */
  #cursor: number
  /** Lines that were not sent yet. */
  #pending: Uint8Array[]
  #bookmarkDue = false
  /** Whether the stream has ended. */
  #ended = false
  /** Whether the stream ends after all pending lines. */
  #finishing = false
  /** Whether an error was the last line. */
  #failed = false
  /** Whether the next changes are being converted to the version of the watch. */
  #converting = false
  /** Whether the conversion of the next changes has failed and must be repeated. */
  #stalled = false
  /** Resolves the `next()` of a reader that waits for a line. */
  #waiting: ((step: Step) => void) | undefined

  constructor(options: WatchStreamOptions) {
    this.#options = options
    this.#cursor = options.cursor
    this.#pending = [...options.initial]
    if (options.initialBookmark) this.#pending.push(options.writer.bookmark(options.revision(), true))
    this.#cleanups.push(options.collection.onChange(() => this.#wake()))
    this.#cleanups.push(options.clock.schedule(options.timeoutMs, () => this.#finish()))
    if (options.bookmarkIntervalMs > 0) {
      this.#scheduleBookmark(options.bookmarkIntervalMs, true)
      const lastMs = options.timeoutMs - lastBookmarkMs
      if (lastMs > 0) this.#scheduleBookmark(lastMs, false)
    }
    if (options.finishSignal !== undefined) this.#onAbort(options.finishSignal, () => this.#finish())
    for (const signal of options.signals) this.#onAbort(signal, () => this.#endStream())
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<Step> {
    const step = this.#stepOrError()
    if (step !== undefined) return Promise.resolve(step)
    return new Promise((resolve) => {
      this.#waiting = resolve
    })
  }

  return(): Promise<Step> {
    this.#endStream()
    return Promise.resolve({ done: true, value: undefined })
  }

  #onAbort(signal: AbortSignal, end: () => void): void {
    if (signal.aborted) {
      end()
      return
    }
    signal.addEventListener('abort', end, { once: true })
    this.#cleanups.push(() => signal.removeEventListener('abort', end))
  }

  #scheduleBookmark(delayMs: number, repeats: boolean): void {
    const cancel = this.#options.clock.schedule(delayMs, () => {
      this.#cleanups.splice(this.#cleanups.indexOf(cancel), 1)
      this.#bookmarkDue = true
      if (repeats) this.#scheduleBookmark(delayMs, true)
      this.#wake()
    })
    this.#cleanups.push(cancel)
  }

  #finish(): void {
    this.#finishing = true
    this.#wake()
  }

  #wake(): void {
    const resolve = this.#waiting
    if (resolve === undefined) return
    // Cleared first, because a step may end the stream, and the end resolves a waiting reader.
    this.#waiting = undefined
    const step = this.#stepOrError()
    if (step === undefined) this.#waiting = resolve
    else resolve(step)
  }

  /** The next step. An unexpected error ends only this stream, because a write calls this, which must not fail. */
  #stepOrError(): Step | undefined {
    try {
      return this.#step()
    } catch (error) {
      const lines: Uint8Array[] = []
      this.#fail(lines, internalError(error))
      return { done: false, value: Buffer.concat(lines) }
    }
  }

  /** The next chunk or the end; undefined if there is nothing to send. */
  #step(): Step | undefined {
    if (this.#ended) return { done: true, value: undefined }
    if (this.#converting) return this.#stalled && this.#finishing ? this.#finalStep() : undefined
    const lines = this.#pending
    this.#pending = []
    if (lines.length === 0 && !this.#failed) this.#readChanges(lines)
    if (this.#converting) return undefined
    if (lines.length === 0 && this.#bookmarkDue) this.#addBookmark(lines)
    const [first, ...others] = lines
    if (first !== undefined) return { done: false, value: others.length === 0 ? first : Buffer.concat(lines) }
    return this.#finishing ? this.#finalStep() : undefined
  }

  #finalStep(): Step {
    this.#endStream()
    return { done: true, value: undefined }
  }

  #addBookmark(lines: Uint8Array[]): void {
    const { writer, revision, after } = this.#options
    this.#bookmarkDue = false
    if (revision() >= after) lines.push(writer.bookmark(revision(), false))
  }

  #readChanges(lines: Uint8Array[]): void {
    const { collection } = this.#options
    while (!this.#failed) {
      const changes = this.#nextChanges(collection)
      if (this.#converting) return
      if (changes === undefined) {
        this.#fail(lines, expired('too old resource version: the watch fell behind'))
        return
      }
      this.#cursor += changes.length
      this.#addLines(lines, changes)
      if (lines.length > 0 || changes.length === 0) return
    }
  }

  /** Adds the lines of changes up to the first that cannot be read, which ends the stream with an error. */
  #addLines(lines: Uint8Array[], changes: readonly Change[]): void {
    const { read, writer } = this.#options
    try {
      for (const change of changes) {
        const line = read(change)
        if (line !== undefined) lines.push(writer.line(line))
      }
    } catch (error) {
      this.#fail(lines, internalError(error))
    }
  }

  /** The next changes. If they must be converted first, the stream goes on when they are. */
  #nextChanges(collection: ReadableCollection): readonly Change[] | undefined {
    try {
      return collection.changesFrom(this.#cursor, changesPerChunk)
    } catch (error) {
      if (!(error instanceof ConversionRequired)) throw error
      this.#converting = true
      void error.convert().then(
        () => this.#resume(),
        () => this.#retryConversion(),
      )
      return undefined
    }
  }

  #resume(): void {
    this.#converting = false
    this.#stalled = false
    this.#wake()
  }

  /** A kube-apiserver sends nothing either until the conversion works again. */
  #retryConversion(): void {
    if (this.#ended) return
    this.#stalled = true
    const cancel = this.#options.clock.schedule(conversionRetryMs, () => {
      this.#cleanups.splice(this.#cleanups.indexOf(cancel), 1)
      this.#resume()
    })
    this.#cleanups.push(cancel)
    this.#wake()
  }

  /** Ends the stream with an error. */
  #fail(lines: Uint8Array[], { status }: ApiError): void {
    lines.push(this.#options.writer.error(status))
    this.#failed = true
    this.#finishing = true
  }

  #endStream(): void {
    if (this.#ended) return
    this.#ended = true
    for (const cleanup of this.#cleanups.splice(0)) cleanup()
    this.#waiting?.({ done: true, value: undefined })
    this.#waiting = undefined
  }
}
