import type { Worker } from 'node:worker_threads'
import { RenderError } from '../render-error.js'
import type { ThreadAnswer, ThreadData, ThreadRequest } from './engine-messages.js'
import type { LookupQuestion } from './lookup-asker.js'
import { type AnswerLookup, LookupReplies } from './lookup-replies.js'
import { startThread } from './start-thread.js'

/** The number of renderings after which a thread is replaced, because the engine's memory grows with each one. */
const rendersPerThread = 100
/** The memory size at which a thread is replaced, in bytes, because the memory never shrinks. */
const largeBytes = 256 * 2 ** 20

/** The limits of one rendering. */
export interface RenderLimits {
  /** How long it may take, in milliseconds. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Answers lookups while the thread waits; default: the answer of the thread names the lookups that it needs. */
  readonly answerLookup?: AnswerLookup | undefined
}

/** A worker thread of the engine, which renders one request at a time. */
export class EngineThread {
  readonly #worker: Worker
  readonly #replies = new LookupReplies()
  #renders = 0
  #memoryBytes = 0
  #isBroken = false

  /** Starts the thread. It does not keep the program running while it renders nothing. */
  constructor(threadFile: URL, data: Omit<ThreadData, 'lookups'>) {
    this.#worker = startThread(threadFile, { ...data, lookups: this.#replies.forThread })
    this.#worker.unref()
  }

  /** Whether the thread can render more charts. */
  get isUsable(): boolean {
    return !this.#isBroken && this.#renders < rendersPerThread && this.#memoryBytes < largeBytes
  }

  /** Ends the thread, also in the middle of a rendering. */
  async end(): Promise<void> {
    this.#isBroken = true
    this.#replies.close()
    await this.#worker.terminate()
  }

  /**
   * Resolves to the engine's answer. Rejects with `RenderError` for a request that takes too long, or stops the engine.
   */
  async run(request: ThreadRequest, limits: RenderLimits): Promise<Uint8Array> {
    this.#renders++
    this.#worker.ref()
    try {
      const answer = await this.#answerOf(request, limits)
      if ('problem' in answer)
        throw new RenderError('RenderError', `the chart cannot be rendered: ${answer.problem}`)
      this.#memoryBytes = answer.memoryBytes
      return answer.bytes
    } catch (error) {
      this.#isBroken = true
      throw error
    } finally {
      this.#worker.unref()
    }
  }

  #answerOf(
    request: ThreadRequest,
    { timeoutMs, signal, answerLookup }: RenderLimits,
  ): Promise<ThreadAnswer> {
    const worker = this.#worker
    return new Promise((resolve, reject) => {
      const end = new AbortController()
      const settle = (finish: () => void) => {
        end.abort()
        clearTimeout(timer)
        for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
        // A later error of the thread, such as that of its end, is ignored.
        worker.on('error', () => {})
        finish()
      }
      const timer = setTimeout(() => settle(() => reject(tooLateError(timeoutMs))), timeoutMs)
      signal.addEventListener('abort', () => settle(() => reject(signal.reason)), { signal: end.signal })
      worker.on('message', (message: ThreadAnswer | LookupQuestion) => {
        if (!('key' in message)) settle(() => resolve(message))
        else if (answerLookup) void this.#replies.reply(message, answerLookup)
      })
      worker.once('error', (error) => settle(() => reject(error)))
      worker.once('exit', () => settle(() => reject(new Error('the thread of the template engine ended'))))
      worker.postMessage(request)
    })
  }
}

const tooLateError = (timeoutMs: number) =>
  new RenderError(
    'RenderError',
    `the chart was not rendered within ${timeoutMs / 1000} s; if it needs more time, set timeoutMs of engineRenderer`,
  )
