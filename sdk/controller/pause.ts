import type { NeededKinds } from './needed-kinds.js'

/** While a kind that a syncer looks at is not served, no key is run; when it is again, all of them are rung. */
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
    if (this.#kinds.served) return false
    if (!this.#isWaiting) this.#wait()
    return true
  }

  #wait(): void {
    this.#isWaiting = true
    const ended = this.#kinds.whenServed(this.#stop).then(
      () => true,
      () => false,
    )
    void ended.then((isServed) => {
      this.#isWaiting = false
      if (isServed) this.#over()
    })
  }
}
