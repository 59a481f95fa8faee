import type { Clock } from '../../time/clock.js'

/** Options of {@link Heartbeat}. */
export interface HeartbeatOptions {
  clock: Clock
  /** The time from the answer to a PING until the next PING, in milliseconds. */
  pingIntervalMs: number
  /** The time without an answer or any other octet after which the connection is dead, in milliseconds. */
  pingTimeoutMs: number
  /** Sends a PING. */
  ping: () => void
  /** Returns a number that grows with everything that arrives. */
  reads: () => number
  /** Called when the connection is dead. */
  onSilent: () => void
}

/**
 * The time that the event loop gets to read data that has already arrived, if a PING is not answered in time, in
 * milliseconds.
 */
const graceMs = 1000

/**
 * Proves by PINGs that a connection is alive. A silent connection is found after the interval, the timeout and one
 * second.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions
  #cancel = () => {}
  #isWaiting = false
  #isStopped = false

  constructor(options: HeartbeatOptions) {
    this.#options = options
    this.#schedulePing()
  }

  /** Sends a PING now, unless one is under way. */
  probe(): void {
    if (this.#isWaiting || this.#isStopped) return
    this.#cancel()
    this.#isWaiting = true
    this.#options.ping()
    this.#awaitAnswer()
  }

  /** Records that the PING was answered. */
  recordAnswer(): void {
    if (!this.#isWaiting || this.#isStopped) return
    this.#cancel()
    this.#isWaiting = false
    this.#schedulePing()
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel()
  }

  /** Sends the next PING after the interval. */
  #schedulePing(): void {
    const { clock, pingIntervalMs } = this.#options
    this.#cancel = clock.schedule(pingIntervalMs, () => this.probe())
  }

  /** Reports silence unless something arrives in time. */
  #awaitAnswer(): void {
    const { clock, pingTimeoutMs, reads, onSilent } = this.#options
    const readsBefore = reads()
    this.#cancel = clock.schedule(pingTimeoutMs, () => {
      this.#cancel = clock.schedule(graceMs, () => {
        // A long answer may come before the answer to the PING.
        if (reads() === readsBefore) onSilent()
        else this.#awaitAnswer()
      })
    })
  }
}
