import type { NeededKinds } from '../syncer/reconcile/needed-kinds.js'

/**
 * While a kind that a syncer looks at is not served, or objects of it are left out for lack of memory, no key is run; when that is
 * over, all keys are rung.
 */
export class Pause {
  readonly #kinds: NeededKinds
  readonly #stop: AbortSignal
  readonly #over: () => void
  #isWaiting = false

  constructor(kinds: NeededKinds, stop: AbortSignal, over: () => void) {
    this.#kinds = kinds
    this.#stop = stop
    this.#over = over
  }

  /** Whether a run that is due is to be left out. */
  isOn(): boolean {
    if (this.#kinds.usable) return false
    if (!this.#isWaiting) this.#wait()
    return true
  }

  #wait(): void {
    this.#isWaiting = true
    const ended = this.#kinds.whenUsable(this.#stop).then(
      () => true,
      () => false,
    )
    void ended.then((isUsable) => {
      this.#isWaiting = false
      if (isUsable) this.#over()
    })
  }
}
