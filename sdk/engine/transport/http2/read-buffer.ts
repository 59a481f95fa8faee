/** The size of a read buffer, in bytes: four TLS records. */
const readBufferBytes = 64 * 1024

/** A fixed buffer that a socket reads into, so that no read allocates memory: the option `onread` of `net.connect`. */
export class ReadBuffer {
  readonly buffer = Buffer.allocUnsafeSlow(readBufferBytes)
  /** Chunks that arrived before `attach`. */
  #early: Buffer[] = []
  #onRead: ((bytes: Uint8Array) => void) | undefined

  /** Called by the socket with the number of bytes that it read into the buffer. */
  readonly callback = (bytes: number): boolean => {
    const part = this.buffer.subarray(0, bytes)
    if (this.#onRead) this.#onRead(part)
    else this.#early.push(Buffer.from(part))
    return true
  }

  /** Calls `onRead` with each chunk that arrives. The chunk is valid only during the call. */
  attach(onRead: (bytes: Uint8Array) => void): void {
    this.#onRead = onRead
    const early = this.#early
    this.#early = []
    for (const part of early) onRead(part)
  }
}
