/** Options of {@link ChunkQueue}. */
export interface ChunkQueueOptions {
  /** Called with the size of each chunk that the reader takes, in bytes. */
  onTaken: (bytes: number) => void
  /** Called when the reader leaves before the end. */
  onLeft: () => void
}

/** A reader that came before its chunk. */
interface Waiting {
  resolve(result: IteratorResult<Uint8Array> | Promise<IteratorResult<Uint8Array>>): void
}

/** Chunks that wait for their reader: a handler's callbacks on one side, an iterator on the other. */
export class ChunkQueue implements AsyncIterableIterator<Uint8Array> {
  readonly #options: ChunkQueueOptions
  readonly #chunks: Uint8Array[] = []
  #end: { error?: unknown } | undefined
  #waiting: Waiting | undefined

  constructor(options: ChunkQueueOptions) {
    this.#options = options
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Adds a chunk, which the queue keeps. */
  push(chunk: Uint8Array): void {
    if (this.#end) return
    const waiting = this.#takeWaiting()
    if (waiting === undefined) this.#chunks.push(chunk)
    else waiting.resolve(this.#taken(chunk))
  }

  /** Ends the iteration behind the chunks that are there, with an error if there is one. */
  end(end: { error?: unknown } = {}): void {
    this.#end ??= end
    const waiting = this.#takeWaiting()
    waiting?.resolve(this.next())
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    const chunk = this.#chunks.shift()
    if (chunk !== undefined) return Promise.resolve(this.#taken(chunk))
    if (this.#end === undefined) return this.#wait()
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

  #wait(): Promise<IteratorResult<Uint8Array>> {
    return new Promise((resolve) => {
      this.#waiting = { resolve }
    })
  }

  #takeWaiting(): Waiting | undefined {
    const waiting = this.#waiting
    this.#waiting = undefined
    return waiting
  }

  #taken(chunk: Uint8Array): IteratorResult<Uint8Array> {
    this.#options.onTaken(chunk.length)
    return { done: false, value: chunk }
  }
}
