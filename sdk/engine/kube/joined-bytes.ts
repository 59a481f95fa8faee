/**
 * Bytes that arrive in parts. They are copied into one buffer, which doubles, so that many small parts take no more
 * memory than a few large ones, and no part keeps the buffer that it was read into.
 */
export class JoinedBytes {
  #buffer: Uint8Array = new Uint8Array(0)
  #length = 0

  /** The number of bytes so far. */
  get length(): number {
    return this.#length
  }

  add(part: Uint8Array): void {
    const length = this.#length + part.length
    if (length > this.#buffer.length) this.#grow(length)
    this.#buffer.set(part, this.#length)
    this.#length = length
  }

  /** Returns all bytes and forgets them. */
  take(): Buffer {
    const { buffer } = this.#buffer
    const bytes = Buffer.from(buffer, this.#buffer.byteOffset, this.#length)
    this.#buffer = new Uint8Array(0)
    this.#length = 0
    return bytes
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#buffer.length))
    larger.set(this.#buffer.subarray(0, this.#length))
    this.#buffer = larger
  }
}
