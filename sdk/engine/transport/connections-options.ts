import type { Logger } from '../observe/logger.js'
import type { DialTarget } from './dial.js'

/** How a connection over HTTP/2 is proved to be alive. */
export interface HeartbeatTimes {
  /** The time from the answer to a PING until the next PING, in milliseconds; default 10,000. */
  pingIntervalMs?: number
  /**
   * The time after which a PING without an answer means that the connection is dead, in milliseconds; default 6,000.
   */
  pingTimeoutMs?: number
}

/** Options of the connections to one server. */
export interface ConnectionsOptions extends HeartbeatTimes {
  target: DialTarget
  logger: Logger
  /** How many connections calls may use over HTTP/1.1; default 32. */
  connections?: number
}
