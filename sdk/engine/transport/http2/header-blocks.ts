import { ConnectionError, errorCode } from './protocol.js'

/** The largest header block that is put together, in octets: what it decodes to has a limit of its own. */
const maxBlockBytes = 256 * 1024
/** The most frames that one block may have: more of them, however small, are an attack. */
const maxContinuations = 64

/** A header block and its stream. */
export interface HeaderBlock {
  streamId: number
  /** Whether the stream ends with it. */
  isLast: boolean
  bytes: Uint8Array
}

/** Puts header blocks together that came as HEADERS and CONTINUATION. */
export class HeaderBlocks {
  #begun: { streamId: number; isLast: boolean; parts: Uint8Array[]; bytes: number } | undefined

  /** The stream of which CONTINUATION must be the next frame; undefined where any frame may come. */
  get expectedStreamId(): number | undefined {
    return this.#begun?.streamId
  }

  /** HEADERS came that CONTINUATION follows. */
  begin({ streamId, isLast, bytes }: HeaderBlock): void {
    // Arriving octets are valid only during the call.
    this.#begun = { streamId, isLast, parts: [Buffer.from(bytes)], bytes: bytes.length }
  }

  /** CONTINUATION came; the block, where that was its last part. Throws {@link ConnectionError} for a flood. */
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
