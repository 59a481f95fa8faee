/**
 * How one learns that something ends: the part of an `AbortSignal` that the SDK asks. Whatever has a life as short as a
 * call's takes a {@link LightEnding}, because making an `AbortSignal` takes longer than much of the call.
 */
export interface Ending {
  readonly aborted: boolean
  readonly reason: unknown
  throwIfAborted(): void
  addEventListener(type: 'abort', listener: () => void, options?: { once: true }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** An {@link Ending} without the machinery of events. */
export class LightEnding implements Ending {
  readonly #listeners = new Set<() => void>()
  #aborted = false
  #reason: unknown

  get aborted(): boolean {
    return this.#aborted
  }

  get reason(): unknown {
    return this.#reason
  }

  /** Ends it, and tells those who listen; only the first time counts. */
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

  /** Calls back once. */
  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener)
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener)
  }
}

/** What a promise settles with, or the reason of an end that comes first; what comes too late is nobody's. */
export function orAborted<T>(promise: Promise<T>, signal: Ending): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
