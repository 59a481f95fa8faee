/** Options of {@link RepeatedRequest}. */
export interface RepeatedRequestOptions<T> {
  /** Sends the request. */
  send: () => Promise<T>
  /** Called with each answer. */
  onAnswer: (answer: T) => void
  /** Called with the reason if there is no answer. */
  onProblem: (error: Error) => void
}

/**
 * A request whose answer changes. One is under way at a time: a program with much work may answer later than it
 * reports changes, and each answer is shown.
 */
export class RepeatedRequest<T> {
  readonly #options: RepeatedRequestOptions<T>
  #isUnderWay = false
  #isWanted = false
  #isStopped = false

  constructor(options: RepeatedRequestOptions<T>) {
    this.#options = options
  }

  /** Sends the request now, or once more after the answer of the one that is under way. */
  refresh(): void {
    this.#isWanted = true
    if (!this.#isUnderWay) void this.#run()
  }

  /** Drops later answers. */
  stop(): void {
    this.#isStopped = true
  }

  async #run(): Promise<void> {
    this.#isUnderWay = true
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false
      await this.#runOnce()
    }
    this.#isUnderWay = false
  }

  async #runOnce(): Promise<void> {
    const { send, onAnswer, onProblem } = this.#options
    await send().then(
      (answer) => this.#isStopped || onAnswer(answer),
      (error: Error) => this.#isStopped || onProblem(error),
    )
  }
}
