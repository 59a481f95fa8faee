/** Numbers of HTTP/2 frames, flags, settings and errors (RFC 9113, sections 6, 7 and 11). */

export const frameType = {
  data: 0,
  headers: 1,
  priority: 2,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const

export const flag = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 32 } as const

export const setting = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const

export const errorCode = {
  noError: 0,
  protocolError: 1,
  internalError: 2,
  flowControlError: 3,
  settingsTimeout: 4,
  streamClosed: 5,
  frameSizeError: 6,
  refusedStream: 7,
  cancel: 8,
  compressionError: 9,
  enhanceYourCalm: 11,
} as const

const errorNames = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
]

/** An error code in words. */
export function errorName(code: number): string {
  return errorNames[code] ?? `error code ${code}`
}

/** The first octets that a client sends (RFC 9113, section 3.4). */
export const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'

/** The size of a frame's header, in octets. */
export const frameHeaderBytes = 9
/** The default size of a window, in octets. */
export const defaultWindow = 65_535
/** The default maximum size of a frame, in octets, which is also the smallest maximum that SETTINGS may set. */
export const defaultFrameSize = 16_384
export const maxWindow = 2 ** 31 - 1
export const maxStreamId = 2 ** 31 - 1

/** The peer broke the protocol in a way that ends the connection (RFC 9113, section 5.4.1). */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly errorCode: number

  constructor(code: number, message: string) {
    super(message)
    this.errorCode = code
  }
}

/** The peer broke the protocol in a way that ends one stream (RFC 9113, section 5.4.2). */
export class StreamError extends Error {
  override readonly name = 'StreamError'
  readonly streamId: number
  readonly errorCode: number

  constructor(streamId: number, code: number, message: string) {
    super(message)
    this.streamId = streamId
    this.errorCode = code
  }
}
