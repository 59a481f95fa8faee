import type { Settle } from './http2/call.js'
import type { Chunks, TakeChunk } from './transport.js'

/** Options of {@link ChunkQueue}. */
export interface ChunkQueueOptions {
  /** Called with the size of each chunk that the reader takes, in bytes. */
  onTaken: (bytes: number) => void
  /** Called when the reader stops before the end, so that the sender can stop, too. */
  onLeft: () => void
}

/**
 * A queue of chunks for one reader. The reader iterates over the chunks, or takes each as it arrives by {@link
 * ChunkQueue.takeAll}.
 */
export class ChunkQueue implements Chunks, AsyncIterableIterator<Uint8Array> {
  readonly #options: ChunkQueueOptions
  readonly #chunks: Uint8Array[] = []
  #end: { error?: unknown } | undefined
  /** Continues a reader that waits for the next chunk or the end. */
  #wakeReader: (() => void) | undefined

  constructor(options: ChunkQueueOptions) {
    this.#options = options
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Adds a chunk. The queue keeps the bytes, so the caller must not change them. */
  push(chunk: Uint8Array): void {
    if (this.#end) return
    this.#chunks.push(chunk)
    this.#continueReader()
  }

  /** Ends the queue after its present chunks, with an error if there is one. Only the first end counts. */
  end(end: { error?: unknown } = {}): void {
    this.#end ??= end
    this.#continueReader()
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    const chunk = this.#shift()
    if (chunk !== undefined) return Promise.resolve({ done: false, value: chunk })
    if (this.#end === undefined) return this.#nextArrival().then(() => this.next())
    const { error } = this.#end
    this.#end = {}
    return error === undefined ? Promise.resolve({ done: true, value: undefined }) : Promise.reject(error)
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    if (this.#end === undefined) this.#options.onLeft()
    this.#end = {}
    this.#chunks.length = 0
    return Promise.resolve({ done: true, value: undefined })
  }

  async takeAll(take: TakeChunk): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => this.#passUntilEnd(take, { resolve, reject }))
    } finally {
      // A reader that failed does not take the remaining chunks.
      await this.return()
    }
  }

  /** Passes on the present chunks, then those that arrive, until the end. */
  #passUntilEnd(take: TakeChunk, settle: Settle<void>): void {
    let pause: Promise<void> | undefined
    try {
      pause = this.#passPresent(take)
    } catch (error) {
      settle.reject(error)
      return
    }
    const passMore = () => this.#passUntilEnd(take, settle)
    if (pause !== undefined) pause.then(passMore, settle.reject)
    else if (this.#end === undefined) this.#wakeReader = passMore
    else if (this.#end.error === undefined) settle.resolve()
    else settle.reject(this.#end.error)
  }

  /** Passes on the present chunks. Stops at the first promise of the reader, and returns it. */
  #passPresent(take: TakeChunk): Promise<void> | undefined {
    for (let chunk = this.#shift(); chunk !== undefined; chunk = this.#shift()) {
      const pause = take(chunk)
      if (pause !== undefined) return pause
    }
    return undefined
  }

  /** Removes the next chunk, and reports that the reader has taken it. */
  #shift(): Uint8Array | undefined {
    const chunk = this.#chunks.shift()
    if (chunk !== undefined) this.#options.onTaken(chunk.length)
    return chunk
  }

  /** Resolves at the next chunk, or at the end. */
  #nextArrival(): Promise<void> {
    return new Promise((resolve) => {
      this.#wakeReader = resolve
    })
  }

  #continueReader(): void {
    const wakeReader = this.#wakeReader
    this.#wakeReader = undefined
    wakeReader?.()
  }
}
