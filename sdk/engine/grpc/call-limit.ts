import { systemClock } from '../time/clock.js'
import { GrpcError } from './grpc-error.js'
import { GrpcStatus } from './status.js'

/** Ends a call after its time limit, or when its caller gives up. */
export class CallLimit {
  readonly #abort = new AbortController()
  readonly #given: AbortSignal | undefined
  readonly #cancelLimit: () => void = () => {}
  readonly #cancel = () => this.#abort.abort(this.#given?.reason)

  /** Throws the reason of a signal that is aborted already. */
  constructor(timeoutMs: number | undefined, given: AbortSignal | undefined) {
    given?.throwIfAborted()
    this.#given = given
    given?.addEventListener('abort', this.#cancel, { once: true })
    if (timeoutMs === undefined) return
    const details = `no answer within ${timeoutMs / 1000} s`
    const exceed = () => this.#abort.abort(new GrpcError(GrpcStatus.DEADLINE_EXCEEDED, details))
    this.#cancelLimit = systemClock.schedule(timeoutMs, exceed)
  }

  /** Aborted with a {@link GrpcError} `DEADLINE_EXCEEDED`, or the reason of the caller's signal. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** The value of a promise, or a rejection with the signal's reason as soon as it is aborted. */
  async race<T>(promise: Promise<T>): Promise<T> {
    const { signal } = this
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    return await Promise.race([promise, aborted])
  }

  /** The call has ended. */
  end(): void {
    this.#cancelLimit()
    this.#given?.removeEventListener('abort', this.#cancel)
  }
}
