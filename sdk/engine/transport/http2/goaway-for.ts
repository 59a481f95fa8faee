import { CompressionError } from './hpack/compression-error.js'
import { ConnectionError, errorCode } from './protocol.js'

/** The error code and the message of the GOAWAY with which a client answers frames that it cannot read. */
export function goawayFor(error: unknown): { code: number; message: string } {
  const reason = error instanceof Error ? error.message : String(error)
  if (error instanceof ConnectionError)
    return { code: error.errorCode, message: `the server broke HTTP/2: ${reason}` }
  if (error instanceof CompressionError)
    return { code: errorCode.compressionError, message: `the server broke HTTP/2: ${reason}` }
  return { code: errorCode.internalError, message: 'reading a frame failed' }
}
