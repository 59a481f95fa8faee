import type { RunningController } from '../controller/running-controller.js'
import { UnhandledRejections } from '../controller/unhandled-rejections.js'
import { type Clock, sleep } from '../time/clock.js'

/** The controllers of a program that run. */
export class Controllers<C extends RunningController = RunningController> {
  #rejections: UnhandledRejections | undefined
  readonly #clock: Clock
  readonly #running: C[] = []

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock
  }

  /** Set once {@link containRejections} was called: tracing each promise to its run makes every promise slower. */
  get rejections(): UnhandledRejections | undefined {
    return this.#rejections
  }

  /** Keeps rejections of promises that runs did not await from ending the process, until the signal aborts. */
  containRejections(signal: AbortSignal): void {
    this.#rejections = new UnhandledRejections()
    this.#rejections.listen(signal)
  }

  get running(): readonly C[] {
    return this.#running
  }

  add(controller: C): void {
    this.#running.push(controller)
  }

  /** Whether no key waits or runs. */
  isIdle(): boolean {
    return this.#running.every((controller) => controller.isIdle())
  }

  /** Runs every key again. */
  enqueueAll(): void {
    for (const controller of this.#running) controller.enqueueAll()
  }

  /** Resolves when all have ended, and after `deadlineMs` milliseconds at the latest. */
  async end(deadlineMs: number): Promise<void> {
    const waiting = new AbortController()
    const ended = Promise.all(this.#running.map((controller) => controller.ended)).finally(() =>
      waiting.abort(),
    )
    await Promise.race([ended, sleep(this.#clock, deadlineMs, waiting.signal).catch(() => {})])
  }
}
