import type { FrameHeader } from './frame-parser.js'
import { ConnectionError, errorCode, flag } from './protocol.js'

/**
 * Returns a payload without its padding, if it has padding. Throws {@link ConnectionError} for padding that is too
 * long.
 */
export function withoutPadding({ flags }: FrameHeader, payload: Uint8Array): Uint8Array {
  if ((flags & flag.padded) === 0) return payload
  const [padding] = payload
  if (padding === undefined)
    throw new ConnectionError(errorCode.frameSizeError, 'a padded frame that is empty')
  if (padding >= payload.length)
    throw new ConnectionError(errorCode.protocolError, 'more padding than the frame has octets')
  return payload.subarray(1, payload.length - padding)
}
