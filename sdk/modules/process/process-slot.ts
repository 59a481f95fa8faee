import type { Clock } from '../../engine/time/clock.js'
import { ProgramError } from '../program/program-error.js'
import type { ProgramProcess } from './program-process.js'
import { StartLimit } from './start-limit.js'

/** How a slot starts and ends its process. */
export interface SlotOptions {
  readonly clock: Clock
  /** How long a process may be unused before it is ended, in milliseconds. */
  readonly idleMs: number
  /** The name of the program in messages. */
  readonly label: string
  /** Starts a process and loads the program. */
  readonly start: () => Promise<ProgramProcess>
  /** Called after the slot has ended its process because the process was idle. */
  readonly onIdle: () => void
}

/** At most one process: started when needed, ended when idle. */
export class ProcessSlot {
  readonly #options: SlotOptions
  readonly #limit: StartLimit
  #process: Promise<ProgramProcess> | undefined
  #starting: Promise<ProgramProcess> | undefined
  #users = 0
  #cancelIdle = () => {}
  #isClosed = false

  constructor(options: SlotOptions) {
    this.#options = options
    this.#limit = new StartLimit(options.clock, { maxStarts: 5, withinMs: 300_000 })
  }

  /** Calls `callback` with a running process, which is not ended as idle until the callback has settled. */
  async use<T>(callback: (running: ProgramProcess) => Promise<T>): Promise<T> {
    this.#cancelIdle()
    this.#users++
    try {
      return await callback(await this.#running())
    } finally {
      this.#users--
      if (this.#users === 0) this.#endWhenIdle()
    }
  }

  /** Ends the process; its calls fail. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelIdle()
    await this.#end('the operator stops')
  }

  async #running(): Promise<ProgramProcess> {
    const running = await this.#process?.catch(() => undefined)
    if (running && !running.isEnded) return running
    // Another caller may have started one while this one waited.
    if (this.#starting) return await this.#starting
    this.#starting = this.#start()
    this.#process = this.#starting
    return await this.#starting.finally(() => {
      this.#starting = undefined
    })
  }

  async #start(): Promise<ProgramProcess> {
    const { label, start } = this.#options
    if (this.#isClosed) throw new ProgramError('PROGRAM_ENDED', `${label} is not started: the operator stops`)
    const waitMs = this.#limit.take()
    if (waitMs > 0)
      throw new ProgramError(
        'TOO_MANY_STARTS',
        `${label} was started 5 times in 5 minutes and is not started again for ${Math.ceil(waitMs / 1_000)} s; ` +
          'see the log for how its processes ended',
      )
    const started = await start()
    if (this.#isClosed) started.kill('the operator stops')
    return started
  }

  #endWhenIdle(): void {
    const { clock, idleMs } = this.#options
    if (this.#isClosed || this.#process === undefined) return
    this.#cancelIdle = clock.schedule(idleMs, () => void this.#endIdle())
  }

  async #endIdle(): Promise<void> {
    await this.#end('it was idle')
    if (this.#process === undefined && this.#users === 0) this.#options.onIdle()
  }

  async #end(because: string): Promise<void> {
    const ending = await this.#process?.catch(() => undefined)
    if (this.#users > 0 && !this.#isClosed) return
    this.#process = undefined
    ending?.kill(because)
    await ending?.ended
  }
}
