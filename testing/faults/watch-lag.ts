/** What a watch lets through at the moment. */
export type LagMode = 'none' | 'hold' | 'repeat'

/** The lag of all watches of one cluster: events can be held back, dropped with their connection, or repeated. */
export class WatchLag {
  mode: LagMode = 'none'
  #released: (() => void)[] = []
  #broken: (() => void)[] = []

  /** Lets go what was held back. */
  release(): void {
    this.mode = 'none'
    const released = this.#released
    this.#released = []
    for (const go of released) go()
  }

  /** Ends the repeating, if it was that. */
  stopRepeating(): void {
    if (this.mode === 'repeat') this.mode = 'none'
  }

  /** Breaks every watch under way; what was held back is lost. */
  break(): void {
    this.mode = 'none'
    this.#released = []
    const broken = this.#broken
    this.#broken = []
    for (const fail of broken) fail()
  }

  /** Passes the chunks of one watch on as the lag says. */
  async *pass(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const broken = new Promise<never>((_, reject) => {
      this.#broken.push(() => reject(new Error('read ECONNRESET: the connection of a watch broke')))
    })
    // It is awaited only while a chunk is; a break between two must not count as unhandled.
    broken.catch(() => {})
    const source = chunks[Symbol.asyncIterator]()
    for (;;) {
      const { value, done } = await Promise.race([source.next(), broken])
      if (done) return
      while (this.mode === 'hold')
        await Promise.race([new Promise<void>((resolve) => this.#released.push(resolve)), broken])
      yield value
      if (this.mode === 'repeat') yield value
    }
  }
}
