import type { Worker } from 'node:worker_threads'
import { RenderError } from '../render-error.js'
import type { ThreadAnswer, ThreadData, ThreadRequest } from './engine-messages.js'
import { startThread } from './start-thread.js'
import type { WasmModule } from './web-assembly.js'

/** The engine's memory grows with each rendering, so a thread is replaced after this many. */
const rendersPerThread = 100

/** Options of {@link EngineWorker}. */
export interface EngineWorkerOptions {
  readonly module: WasmModule
  /** The code of the thread. */
  readonly threadFile: URL
  /** How long a request may take, in milliseconds. */
  readonly timeoutMs: number
}

/** Runs requests in a worker thread, one at a time; ends the thread if one takes too long. */
export class EngineWorker {
  readonly #data: ThreadData
  readonly #threadFile: URL
  readonly #timeoutMs: number
  #worker: Worker | undefined
  #renders = 0
  #last: Promise<unknown> = Promise.resolve()
  /** Resolves when all threads that were given up have ended. */
  #ended: Promise<unknown> = Promise.resolve()

  constructor({ module, threadFile, timeoutMs }: EngineWorkerOptions) {
    this.#data = { module }
    this.#threadFile = threadFile
    this.#timeoutMs = timeoutMs
  }

  /** Resolves to the engine's answer. Rejects with `RenderError` for a request that takes too long, or stops the engine. */
  run(request: ThreadRequest, signal: AbortSignal): Promise<string> {
    const result = this.#last.then(() => this.#runNow(request, signal))
    this.#last = result.catch(() => {})
    return result
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    this.#giveUp()
    await this.#ended
  }

  /** Ends the thread, without a wait: the next one may start at once. */
  #giveUp(): void {
    const worker = this.#worker
    this.#worker = undefined
    if (worker) this.#ended = Promise.all([this.#ended, worker.terminate()])
  }

  async #runNow(request: ThreadRequest, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted()
    if (this.#renders >= rendersPerThread) this.#giveUp()
    const worker = this.#started()
    this.#renders++
    worker.ref()
    try {
      const answer = await this.#answerOf(worker, request, signal)
      if ('text' in answer) return answer.text
      throw new RenderError('RenderError', `the chart cannot be rendered: ${answer.problem}`)
    } catch (error) {
      this.#giveUp()
      throw error
    } finally {
      worker.unref()
    }
  }

  #started(): Worker {
    if (this.#worker) return this.#worker
    this.#renders = 0
    this.#worker = startThread(this.#threadFile, this.#data)
    return this.#worker
  }

  #answerOf(worker: Worker, request: ThreadRequest, signal: AbortSignal): Promise<ThreadAnswer> {
    return new Promise((resolve, reject) => {
      const end = new AbortController()
      const settle = (finish: () => void) => {
        end.abort()
        clearTimeout(timer)
        for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
        finish()
      }
      const tooLate = () =>
        new RenderError('RenderError', `the chart was not rendered within ${this.#timeoutMs} ms`)
      const timer = setTimeout(() => settle(() => reject(tooLate())), this.#timeoutMs)
      signal.addEventListener('abort', () => settle(() => reject(signal.reason)), { signal: end.signal })
      worker.once('message', (answer: ThreadAnswer) => settle(() => resolve(answer)))
      worker.once('error', (error) => settle(() => reject(error)))
      worker.once('exit', () => settle(() => reject(new Error('the thread of the template engine ended'))))
      worker.postMessage(request)
    })
  }
}
