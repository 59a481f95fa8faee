import { readUint32 } from './octets.js'
import { ConnectionError, defaultFrameSize, errorCode, maxWindow, setting } from './protocol.js'

/** The values of a SETTINGS frame of the server; a value that is not in the frame is undefined. */
export interface PeerSettings {
  headerTableSize?: number
  maxConcurrentStreams?: number
  initialWindowSize?: number
  maxHeaderListSize?: number
}

type Name = keyof PeerSettings

const names: Readonly<Record<number, Name>> = {
  [setting.headerTableSize]: 'headerTableSize',
  [setting.maxConcurrentStreams]: 'maxConcurrentStreams',
  [setting.initialWindowSize]: 'initialWindowSize',
  [setting.maxHeaderListSize]: 'maxHeaderListSize',
}

/**
 * Reads a SETTINGS frame. If a setting occurs twice, the last value counts. Throws {@link ConnectionError} for a
 * forbidden value.
 */
export function readPeerSettings(payload: Uint8Array): PeerSettings {
  const settings: PeerSettings = {}
  for (let offset = 0; offset + 6 <= payload.length; offset += 6) {
    const id = readUint32(payload, offset) >>> 16
    const value = readUint32(payload, offset + 2)
    check(id, value)
    const name = names[id]
    if (name !== undefined) settings[name] = value
  }
  return settings
}

/**
 * Throws for a forbidden value. The peer's maximum frame size is not used, because our frames have the size that every
 * peer accepts.
 */
function check(id: number, value: number): void {
  if (id === setting.initialWindowSize && value > maxWindow)
    throw new ConnectionError(errorCode.flowControlError, `an initial window of ${value} octets`)
  if (id === setting.enablePush && value !== 0)
    throw new ConnectionError(errorCode.protocolError, 'a server that would take pushed streams')
  if (id === setting.maxFrameSize && (value < defaultFrameSize || value >= 2 ** 24))
    throw new ConnectionError(errorCode.protocolError, `a largest frame of ${value} octets`)
}
