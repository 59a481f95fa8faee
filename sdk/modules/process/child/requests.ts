import type { ClusterMethod, SentError } from '../messages.js'
import type { OperatorChannel } from './channel.js'
import { receivedError } from './errors.js'

/** The maximum number of concurrent questions; others wait. The operator refuses more than twice as many. */
const maxAtATime = 64

/** A message that the operator answers, without its number. */
type Question =
  | { readonly type: 'save'; readonly call: number; readonly metaData: string }
  | {
      readonly type: 'request'
      readonly manager: number
      readonly method: ClusterMethod
      readonly args: readonly unknown[]
    }

interface PendingQuestion {
  readonly question: Question
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** Sends questions to the operator, and keeps them until they are answered. */
export class Requests {
  readonly #channel: OperatorChannel
  /** Not sent yet, in their order. */
  readonly #queued = new Map<number, PendingQuestion>()
  readonly #sent = new Map<number, PendingQuestion>()
  #last = 0

  constructor(channel: OperatorChannel) {
    this.#channel = channel
  }

  /** Asks the operator; rejects with its error, or with the reason of the signal. */
  async ask(question: Question, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted()
    const id = ++this.#last
    const onAbort = () => this.#cancel(id, signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      return await new Promise((resolve, reject) => {
        this.#queued.set(id, { question, resolve, reject })
        this.#sendNext()
      })
    } finally {
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /** Takes an answer of the operator. */
  answer({ id, value, error }: { id: number; value?: unknown; error?: SentError }): void {
    const pending = this.#sent.get(id)
    this.#sent.delete(id)
    if (error) pending?.reject(receivedError(error))
    else pending?.resolve(value)
    this.#sendNext()
  }

  #cancel(id: number, reason: unknown): void {
    const pending = this.#queued.get(id) ?? this.#sent.get(id)
    this.#queued.delete(id)
    if (this.#sent.delete(id)) this.#channel.send({ type: 'cancel', id })
    pending?.reject(reason)
    this.#sendNext()
  }

  #sendNext(): void {
    for (const [id, pending] of this.#queued) {
      if (this.#sent.size >= maxAtATime) return
      this.#queued.delete(id)
      this.#send(id, pending)
    }
  }

  #send(id: number, pending: PendingQuestion): void {
    try {
      this.#channel.send({ ...pending.question, id })
      this.#sent.set(id, pending)
    } catch (error) {
      pending.reject(error)
    }
  }
}
