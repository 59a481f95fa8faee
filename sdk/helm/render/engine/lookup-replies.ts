import { MessageChannel } from 'node:worker_threads'
import type { LookupChannel, LookupQuestion, LookupReply } from './lookup-asker.js'

/** Answers the key of a lookup: JSON, or `null` if the object does not exist. */
export type AnswerLookup = (key: string) => Promise<string | null>

/** The answers to the lookups of one thread. */
export class LookupReplies {
  readonly #channel = new MessageChannel()
  readonly #answered = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

  constructor() {
    this.#channel.port1.unref()
  }

  /** The part for the thread; its port has to be transferred. */
  get forThread(): LookupChannel {
    return { port: this.#channel.port2, answered: this.#answered }
  }

  /** Finds an object and wakes the thread. An error counts as unknown: the lookup is repeated later, and fails then. */
  async reply({ number, key }: LookupQuestion, answer: AnswerLookup): Promise<void> {
    const json = await answer(key).catch(() => undefined)
    const reply: LookupReply = { number, found: json }
    this.#channel.port1.postMessage(reply)
    Atomics.add(this.#answered, 0, 1)
    Atomics.notify(this.#answered, 0)
  }

  close(): void {
    this.#channel.port1.close()
  }
}
