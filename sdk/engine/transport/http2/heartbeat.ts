import type { Clock } from '../../time/clock.js'

/** Options of {@link Heartbeat}. */
export interface HeartbeatOptions {
  clock: Clock
  /** A PING goes out this long after the last one was answered, in milliseconds. */
  pingIntervalMs: number
  /** After this long without an answer and without any other octet the connection is dead, in milliseconds. */
  pingTimeoutMs: number
  /** Sends a PING. */
  ping: () => void
  /** A number that grows with everything that arrives. */
  reads: () => number
  /** Called when the connection is dead. */
  onSilent: () => void
}

/** After a late answer to a PING the event loop gets this long to read what is already there, in milliseconds. */
const graceMs = 1000

/**
 * Proves by PINGs that a connection is alive: one that went silent is found after the interval, the timeout and a
 * second.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions
  #cancel = () => {}
  #isWaiting = false
  #isStopped = false

  constructor(options: HeartbeatOptions) {
    this.#options = options
    this.#rest()
  }

  /** Sends a PING now, unless one is under way. */
  probe(): void {
    if (this.#isWaiting || this.#isStopped) return
    this.#cancel()
    this.#isWaiting = true
    this.#options.ping()
    this.#await()
  }

  /** The PING was answered. */
  answered(): void {
    if (!this.#isWaiting || this.#isStopped) return
    this.#cancel()
    this.#isWaiting = false
    this.#rest()
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel()
  }

  #rest(): void {
    const { clock, pingIntervalMs } = this.#options
    this.#cancel = clock.schedule(pingIntervalMs, () => this.probe())
  }

  #await(): void {
    const { clock, pingTimeoutMs, reads, onSilent } = this.#options
    const before = reads()
    this.#cancel = clock.schedule(pingTimeoutMs, () => {
      this.#cancel = clock.schedule(graceMs, () => {
        // A long answer may stand before that to the PING.
        if (reads() === before) onSilent()
        else this.#await()
      })
    })
  }
}
