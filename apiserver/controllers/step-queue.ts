import { ApiError } from '../../sdk/engine/kube/error.js'

interface Step {
  readonly name: string
  readonly run: () => void
}

/**
 * The queued steps of the controllers; they run one turn of the event loop later. A step that the API refuses, for
 * example because of a quota, runs again after the other steps, and after each later change.
 */
export class StepQueue {
  #steps: Step[] = []
  /** The names of queued steps that need only one run, however many changes queue them. */
  readonly #once = new Set<string>()
  /** The refused steps, by name: the newest of each name. */
  readonly #refused = new Map<string, () => void>()
  #turn: NodeJS.Immediate | undefined
  #isSettling = false

  /** Queues a step. Its name contains the action and the object, and identifies the step. */
  enqueue(name: string, run: () => void): void {
    this.#steps.push({ name, run })
    this.#schedule()
  }

  /** Queues a step that runs once for all changes of a turn of the event loop. */
  enqueueOnce(name: string, run: () => void): void {
    if (this.#once.has(name)) return
    this.#once.add(name)
    this.enqueue(name, run)
  }

  /** Runs refused steps again in the next turn, because a change may let them pass. */
  retryLater(): void {
    if (this.#refused.size > 0) this.#schedule()
  }

  /** Runs all queued steps now, and the steps that they queue. */
  settle(): void {
    this.#isSettling = true
    try {
      this.#drain()
      // Only once: a refused step that writes something would otherwise cause its own next attempt.
      this.#requeueRefused()
      this.#drain()
    } finally {
      this.#isSettling = false
      if (this.#steps.length > 0) this.#schedule()
    }
  }

  clear(): void {
    this.#steps = []
    this.#once.clear()
    this.#refused.clear()
    clearImmediate(this.#turn)
    this.#turn = undefined
  }

  #drain(): void {
    while (this.#steps.length > 0) {
      const due = this.#steps
      this.#steps = []
      let done = 0
      try {
        for (const step of due) {
          done++
          this.#run(step)
        }
      } finally {
        if (done < due.length) this.#steps = [...due.slice(done), ...this.#steps]
      }
    }
  }

  #run({ name, run }: Step): void {
    this.#once.delete(name)
    try {
      run()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      this.#refused.set(name, run)
    }
  }

  #requeueRefused(): void {
    const refused = [...this.#refused]
    this.#refused.clear()
    for (const [name, run] of refused) this.enqueueOnce(name, run)
  }

  #schedule(): void {
    if (this.#isSettling) return
    this.#turn ??= setImmediate(() => {
      this.#turn = undefined
      this.settle()
    })
  }
}
