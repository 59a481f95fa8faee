import { ConnectionError, errorCode } from './protocol.js'

/** The largest header block that is accepted, in octets. The decoded header list has its own limit. */
const maxBlockBytes = 256 * 1024
/** The maximum number of frames of one block; more frames, however small, are an attack. */
const maxContinuations = 64

/** A header block and its stream. */
export interface HeaderBlock {
  streamId: number
  /** Whether the stream ends with it. */
  isLast: boolean
  bytes: Uint8Array
}

/** Collects header blocks from HEADERS and CONTINUATION frames. */
export class HeaderBlocks {
  #begun: { streamId: number; isLast: boolean; parts: Uint8Array[]; bytes: number } | undefined

  /** The stream for which the next frame must be CONTINUATION; undefined if any frame may come. */
  get expectedStreamId(): number | undefined {
    return this.#begun?.streamId
  }

  /** Begins a block with HEADERS that CONTINUATION follows. */
  begin({ streamId, isLast, bytes }: HeaderBlock): void {
    // Arriving octets are valid only during the call.
    this.#begun = { streamId, isLast, parts: [Buffer.from(bytes)], bytes: bytes.length }
  }

  /**
   * Adds a CONTINUATION. Returns the block if that was its last part. Throws {@link ConnectionError} for too many
   * frames.
   */
  add(part: Uint8Array, isWhole: boolean): HeaderBlock | undefined {
    const begun = this.#begun
    if (begun === undefined)
      throw new ConnectionError(errorCode.protocolError, 'CONTINUATION without HEADERS')
    begun.parts.push(Buffer.from(part))
    begun.bytes += part.length
    if (begun.bytes > maxBlockBytes || begun.parts.length > maxContinuations)
      throw new ConnectionError(errorCode.enhanceYourCalm, 'a header block that does not end')
    if (!isWhole) return undefined
    this.#begun = undefined
    return { streamId: begun.streamId, isLast: begun.isLast, bytes: Buffer.concat(begun.parts) }
  }
}
