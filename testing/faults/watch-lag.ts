import { LineSplitter } from '../../sdk/engine/watch/line-splitter.js'

/** The treatment of watch events: they pass, are withheld, or are delivered twice. */
export type LagMode = 'none' | 'hold' | 'repeat'

/** The maximum length of a watch event, in bytes. */
const maxEventBytes = 16 * 1024 * 1024
const lineFeed = Buffer.from('\n')

/** Delays, drops or repeats the events of all watches of one cluster. */
export class WatchLag {
  mode: LagMode = 'none'
  #releases: (() => void)[] = []
  #breaks: (() => void)[] = []

  /** Delivers the withheld events. */
  release(): void {
    this.mode = 'none'
    const releases = this.#releases
    this.#releases = []
    for (const release of releases) release()
  }

  /** Stops repeating events; does nothing in other modes. */
  stopRepeating(): void {
    if (this.mode === 'repeat') this.mode = 'none'
  }

  /** Breaks the connections of all open watches. Withheld events are lost. */
  break(): void {
    this.mode = 'none'
    this.#releases = []
    const breaks = this.#breaks
    this.#breaks = []
    for (const fail of breaks) fail()
  }

  /**
   * Passes on the events of one watch according to the mode, one chunk per event. A chunk of a real server may hold
   * several. Each is repeated before the next, because no server goes back to an older event on one connection.
   */
  async *pass(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const broken = new Promise<never>((_, reject) => {
      this.#breaks.push(() => reject(new Error('read ECONNRESET: the connection of a watch broke')))
    })
    // The promise is awaited only together with a chunk. A break between two chunks is not an unhandled rejection.
    broken.catch(() => {})
    const source = chunks[Symbol.asyncIterator]()
    const lines = new LineSplitter(maxEventBytes)
    for (;;) {
      const { value, done } = await Promise.race([source.next(), broken])
      if (done) return
      for (const line of lines.push(value)) {
        while (this.mode === 'hold')
          await Promise.race([new Promise<void>((resolve) => this.#releases.push(resolve)), broken])
        const event = Buffer.concat([line, lineFeed])
        yield event
        if (this.mode === 'repeat') yield event
      }
    }
  }
}
