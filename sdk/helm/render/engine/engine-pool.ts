import { availableParallelism } from 'node:os'
import minBy from 'lodash/minBy.js'
import type { ThreadData, ThreadRequest } from './engine-messages.js'
import { EngineThread, type RenderLimits } from './engine-thread-handle.js'

/** The time after which a rendering counts as slow, in milliseconds, so that another one may start. */
const slowMs = 1_000
/** The limit of threads, including those of slow renderings. */
const maxThreads = 8
/** The limit of threads for the renderings of one tenant. */
const maxPerTenant = 2
/** The time without renderings after which threads end, in milliseconds, because their memory does not shrink. */
const idleMs = 60_000
/** The limit of tenants whose turns are remembered. */
const maxTurns = 10_000

/** A rendering. */
export interface EngineJob extends RenderLimits {
  readonly request: ThreadRequest
  /** The tenant of the rendering. */
  readonly tenant: string
}

interface WaitingJob {
  readonly job: EngineJob
  readonly resolve: (answer: Uint8Array) => void
  readonly reject: (reason: unknown) => void
}

interface RunningJob {
  readonly tenant: string
  isSlow: boolean
}

/**
 * Runs renderings in worker threads, two side by side if there are processors, at most two of one tenant, and those of
 * different tenants in turn. A slow rendering does not hold up other tenants: another thread is started for waiting
 * renderings.
 */
export class EnginePool {
  readonly #data: Omit<ThreadData, 'lookups'>
  readonly #threadFile: URL
  readonly #sideBySide = Math.min(2, availableParallelism())
  readonly #waiting = new Set<WaitingJob>()
  readonly #running = new Set<RunningJob>()
  readonly #threads = new Set<EngineThread>()
  readonly #idle: EngineThread[] = []
  readonly #ending = new Set<Promise<void>>()
  /** The number of the last turn of each tenant. */
  readonly #turns = new Map<string, number>()
  #turn = 0
  #idleTimer: NodeJS.Timeout | undefined

  constructor(data: Omit<ThreadData, 'lookups'>, threadFile: URL) {
    this.#data = data
    this.#threadFile = threadFile
  }

  /** Resolves to the answer of the engine. Rejects as {@link EngineThread.run}. */
  run(job: EngineJob): Promise<Uint8Array> {
    const { signal } = job
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const waiting = { job, resolve, reject }
      const leave = () => {
        if (this.#waiting.delete(waiting)) reject(signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.add(waiting)
      this.#startNext()
    })
  }

  /** Ends all threads. */
  async close(): Promise<void> {
    clearTimeout(this.#idleTimer)
    for (const thread of [...this.#threads]) this.#end(thread)
    await Promise.all(this.#ending)
  }

  #startNext(): void {
    for (let next = this.#nextJob(); next; next = this.#nextJob()) {
      this.#waiting.delete(next)
      void this.#execute(next)
    }
  }

  /**
   * The next rendering that may start: of the tenant with the fewest running renderings, and among these of the tenant
   * whose last turn is the longest ago.
   */
  #nextJob(): WaitingJob | undefined {
    const running = [...this.#running]
    if (running.length >= maxThreads) return undefined
    if (running.filter(({ isSlow }) => !isSlow).length >= this.#sideBySide) return undefined
    const countOf = ({ job: { tenant } }: WaitingJob) => running.filter((one) => one.tenant === tenant).length
    const ready = [...this.#waiting].filter((waiting) => countOf(waiting) < maxPerTenant)
    const turnOf = ({ job: { tenant } }: WaitingJob) => this.#turns.get(tenant) ?? 0
    return minBy(ready, (waiting) => countOf(waiting) * Number.MAX_SAFE_INTEGER + turnOf(waiting))
  }

  async #execute({ job, resolve, reject }: WaitingJob): Promise<void> {
    const running: RunningJob = { tenant: job.tenant, isSlow: false }
    const thread = this.#idle.pop() ?? this.#newThread()
    this.#running.add(running)
    this.#noteTurn(job.tenant)
    const slow = setTimeout(() => {
      running.isSlow = true
      this.#startNext()
    }, slowMs)
    try {
      resolve(await thread.run(job.request, job))
    } catch (error) {
      reject(error)
    } finally {
      clearTimeout(slow)
      this.#running.delete(running)
      this.#returnThread(thread)
      this.#startNext()
    }
  }

  #newThread(): EngineThread {
    const thread = new EngineThread(this.#threadFile, this.#data)
    this.#threads.add(thread)
    return thread
  }

  #noteTurn(tenant: string): void {
    if (this.#turns.size >= maxTurns) this.#turns.clear()
    this.#turns.set(tenant, ++this.#turn)
  }

  /** Keeps a thread for a while, unless there are enough. */
  #returnThread(thread: EngineThread): void {
    if (!thread.isUsable || this.#idle.length >= this.#sideBySide) this.#end(thread)
    else if (this.#threads.has(thread)) this.#idle.push(thread)
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => this.#endIdle(), idleMs)
    this.#idleTimer.unref()
  }

  #endIdle(): void {
    for (const thread of this.#idle.splice(0)) this.#end(thread)
  }

  /** Ends a thread, without a wait: the next one may start at once. */
  #end(thread: EngineThread): void {
    this.#threads.delete(thread)
    const ended = thread.end().finally(() => this.#ending.delete(ended))
    this.#ending.add(ended)
  }
}
