import { setMaxListeners } from 'node:events'

/**
 * Reports cancellation: the part of `AbortSignal` that the SDK uses. Short operations such as calls use a
 * `Cancellation`, because creating an `AbortSignal` takes longer than much of a call.
 */
export interface CancelToken {
  readonly aborted: boolean
  readonly reason: unknown
  throwIfAborted(): void
  addEventListener(type: 'abort', listener: () => void, options?: { once: true }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** A {@link CancelToken} and its source, without the cost of `EventTarget`. */
export class Cancellation implements CancelToken {
  readonly #listeners = new Set<() => void>()
  #signal: AbortSignal | undefined
  #aborted = false
  #reason: unknown

  get aborted(): boolean {
    return this.#aborted
  }

  get reason(): unknown {
    return this.#reason
  }

  /** The `AbortSignal` that aborts with this token; created when first read, because most runs never read it. */
  get abortSignal(): AbortSignal {
    this.#signal ??= this.#newSignal()
    return this.#signal
  }

  /** Cancels and calls the listeners; a second call has no effect. */
  abort(reason: unknown): void {
    if (this.#aborted) return
    this.#aborted = true
    this.#reason = reason
    const listeners = [...this.#listeners]
    this.#listeners.clear()
    for (const listener of listeners) listener()
  }

  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason
  }

  /** Adds a listener, which is called at most once. */
  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener)
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener)
  }

  #newSignal(): AbortSignal {
    const controller = new AbortController()
    // Many calls of one run listen to its signal; Node would report eleven listeners as a leak.
    setMaxListeners(0, controller.signal)
    const onAbort = () => controller.abort(this.#reason)
    if (this.#aborted) onAbort()
    else this.addEventListener('abort', onAbort)
    return controller.signal
  }
}

/** A {@link Cancellation} that is cancelled with a token, for listeners that come and go often. */
export function cancelledWith(token: CancelToken): Cancellation {
  const cancellation = new Cancellation()
  const onAbort = () => cancellation.abort(token.reason)
  if (token.aborted) onAbort()
  else token.addEventListener('abort', onAbort, { once: true })
  return cancellation
}

/** The `AbortSignal` that aborts with a token, for code that needs all of its members. */
export function abortSignalOf(token: CancelToken): AbortSignal {
  if (token instanceof AbortSignal) return token
  return (token instanceof Cancellation ? token : cancelledWith(token)).abortSignal
}

/**
 * Settles as the promise does, or rejects with the token's reason if it is cancelled first. A late result is dropped.
 */
export function orAborted<T>(promise: Promise<T>, signal: CancelToken): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
