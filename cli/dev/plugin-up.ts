import { type Clock, sleep } from '../../sdk/engine/time/clock.js'
import { notMirroredError, onceLimitMs } from './wait-limits.js'

/** Time that a plugin with its own log format gets from its registration to its work, in milliseconds. */
const settleMs = 1000

/** Detects that the plugin is up: its log says so, a copy was seen, or it has been registered for a while. */
export class PluginUp {
  readonly #clock: Clock
  readonly #up: Promise<void>
  #resolve = () => {}

  constructor(clock: Clock) {
    this.#clock = clock
    this.#up = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  /** Records that the plugin is up. */
  markUp(): void {
    this.#resolve()
  }

  /** Records that the plugin has registered, and will soon be up. */
  async markRegistered(): Promise<void> {
    await sleep(this.#clock, settleMs)
    this.#resolve()
  }

  /** Resolves when the plugin is up. With `once` it rejects if that takes too long. */
  async wait({ once }: { once: boolean }): Promise<void> {
    if (!once) return this.#up
    const tooLate = sleep(this.#clock, onceLimitMs()).then(() => {
      throw notMirroredError('the plugin did not register')
    })
    await Promise.race([this.#up, tooLate])
  }
}
