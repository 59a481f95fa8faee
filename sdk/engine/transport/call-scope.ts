import { Cancellation, type CancelToken } from '../time/cancellation.js'
import type { Clock } from '../time/clock.js'

/** Options of {@link CallScope}. */
export interface CallScopeOptions {
  clock: Clock
  /** When the scope ends by itself, in milliseconds from now. */
  timeoutMs: number
  /** Makes the signal's reason for a timeout. */
  timeoutError: () => Error
  /** Ends the scope from outside; its reason is passed on. */
  signal?: CancelToken
}

/**
 * The life of one call: its signal aborts when the caller's does, when its time is up, or when the transport
 * closes. The caller that opens a scope releases it.
 */
export class CallScope {
  readonly #cancellation = new Cancellation()
  readonly #clock: Clock
  readonly #deadlineMs: number
  readonly #callerSignal: CancelToken | undefined
  readonly #onOuterAbort = () => this.abort(this.#callerSignal?.reason)
  readonly #cancelTimer: () => void

  constructor({ clock, timeoutMs, timeoutError, signal }: CallScopeOptions) {
    this.#clock = clock
    this.#deadlineMs = clock.now() + timeoutMs
    this.#callerSignal = signal
    this.#cancelTimer = clock.schedule(timeoutMs, () => this.abort(timeoutError()))
    if (signal?.aborted) this.abort(signal.reason)
    else signal?.addEventListener('abort', this.#onOuterAbort, { once: true })
  }

  get signal(): CancelToken {
    return this.#cancellation
  }

  /** The remaining time, in milliseconds; correct even if the timer is late. */
  get remainingMs(): number {
    return this.#deadlineMs - this.#clock.now()
  }

  abort(reason: unknown): void {
    this.#cancellation.abort(reason)
  }

  /** Stops the time limit: from then on only the caller or the transport can end the scope. */
  stopTimer(): void {
    this.#cancelTimer()
  }

  release(): void {
    this.#cancelTimer()
    this.#callerSignal?.removeEventListener('abort', this.#onOuterAbort)
  }
}
