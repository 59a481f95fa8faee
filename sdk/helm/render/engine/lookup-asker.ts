import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'

/** A question of a thread for an object; the answer has its number. */
export interface LookupQuestion {
  readonly number: number
  readonly key: string
}

/** The answer: JSON, `null` if the object does not exist, or undefined if no answer is known yet. */
export interface LookupReply {
  readonly number: number
  readonly found: string | null | undefined
}

/** The means by which a thread gets answers while it renders. */
export interface LookupChannel {
  readonly port: MessagePort
  /** Counts the answers, to wake the thread. */
  readonly answered: Int32Array
}

/** The time for which the lookups of one rendering may block its thread, in milliseconds. */
const maxWaitMs = 1_000

/**
 * Asks the main thread for objects, and waits for each answer, so that a chart with lookups is rendered only once.
 * After {@link maxWaitMs} in total, lookups get no answer; the chart is rendered again when the answers are known.
 */
export class LookupAsker {
  readonly #channel: LookupChannel
  readonly #ask: (question: LookupQuestion) => void
  #number = 0
  #leftMs = 0

  constructor(channel: LookupChannel, ask: (question: LookupQuestion) => void) {
    this.#channel = channel
    this.#ask = ask
  }

  /** Begins a rendering; `isAnswered` says whether its lookups may be asked. */
  begin(isAnswered: boolean): void {
    this.#leftMs = isAnswered ? maxWaitMs : 0
  }

  /** The JSON of an object, `null` if it does not exist, undefined if there is no answer now. */
  find(key: string): string | null | undefined {
    const number = ++this.#number
    const endMs = performance.now() + this.#leftMs
    if (this.#leftMs > 0) this.#ask({ number, key })
    while (this.#leftMs > 0) {
      const { answered, port } = this.#channel
      const count = Atomics.load(answered, 0)
      const reply = receiveMessageOnPort(port)?.message as LookupReply | undefined
      // A late answer to an earlier question is dropped.
      if (reply?.number === number) return reply.found
      if (!reply) Atomics.wait(answered, 0, count, this.#leftMs)
      this.#leftMs = Math.max(0, endMs - performance.now())
    }
    return undefined
  }
}
