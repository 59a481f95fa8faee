import type { Settle } from './sendable.js'
import type { Chunks, TakeChunk } from './transport.js'

/** Options of {@link ChunkQueue}. */
export interface ChunkQueueOptions {
  /** Called with the size of each chunk that the reader takes, in bytes. */
  onTaken: (bytes: number) => void
  /** Called when the reader leaves before the end. */
  onLeft: () => void
}

/** Chunks that wait for their reader, which iterates over them or takes each as it arrives. */
export class ChunkQueue implements Chunks, AsyncIterableIterator<Uint8Array> {
  readonly #options: ChunkQueueOptions
  readonly #chunks: Uint8Array[] = []
  #end: { error?: unknown } | undefined
  /** The reader, if it came before its chunk or the end. */
  #wakeReader: (() => void) | undefined

  constructor(options: ChunkQueueOptions) {
    this.#options = options
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Adds a chunk, which the queue keeps. */
  push(chunk: Uint8Array): void {
    if (this.#end) return
    this.#chunks.push(chunk)
    this.#arrived()
  }

  /** Ends the chunks behind those that are there, with an error if there is one. */
  end(end: { error?: unknown } = {}): void {
    this.#end ??= end
    this.#arrived()
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    const chunk = this.#shift()
    if (chunk !== undefined) return Promise.resolve({ done: false, value: chunk })
    if (this.#end === undefined) return this.#arrival().then(() => this.next())
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
      await new Promise<void>((resolve, reject) => this.#pour(take, { resolve, reject }))
    } finally {
      // The chunks behind an error of the reader have none.
      await this.return()
    }
  }

  /** Passes chunks on, now and when more arrive, until the end. */
  #pour(take: TakeChunk, settle: Settle<void>): void {
    let pause: Promise<void> | undefined
    try {
      pause = this.#pass(take)
    } catch (error) {
      settle.reject(error)
      return
    }
    const again = () => this.#pour(take, settle)
    if (pause !== undefined) pause.then(again, settle.reject)
    else if (this.#end === undefined) this.#wakeReader = again
    else if (this.#end.error === undefined) settle.resolve()
    else settle.reject(this.#end.error)
  }

  /** Passes on the chunks that are there, or those before a pause. */
  #pass(take: TakeChunk): Promise<void> | undefined {
    for (let chunk = this.#shift(); chunk !== undefined; chunk = this.#shift()) {
      const pause = take(chunk)
      if (pause !== undefined) return pause
    }
    return undefined
  }

  #shift(): Uint8Array | undefined {
    const chunk = this.#chunks.shift()
    if (chunk !== undefined) this.#options.onTaken(chunk.length)
    return chunk
  }

  #arrival(): Promise<void> {
    return new Promise((resolve) => {
      this.#wakeReader = resolve
    })
  }

  #arrived(): void {
    const wakeReader = this.#wakeReader
    this.#wakeReader = undefined
    wakeReader?.()
  }
}
