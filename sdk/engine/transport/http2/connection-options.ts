import type { Clock } from '../../time/clock.js'
import type { Socket } from './close-socket.js'

/** Options of a `Connection`, which a session makes. Its callbacks report what the server did. */
export interface ConnectionOptions {
  socket: Socket
  clock: Clock
  /** Host and port, for requests and for errors. */
  authority: string
  /** The number of streams that watches leave free. */
  reservedForCalls: number
  /** Called when the server's first SETTINGS arrive. */
  onOpen: () => void
  /** Called when the server has accepted our settings. */
  onSettingsAck: () => void
  /** Called when a PING of ours is answered. */
  onPingAnswer: () => void
  /** Called when the connection has ended, or will end with its last stream, and takes no more requests. */
  onDraining: () => void
  /** Called once, when the connection and all its exchanges have ended. */
  onClosed: (error: Error) => void
}
