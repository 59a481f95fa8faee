import type { SentError } from '../messages.js'
import type { OperatorChannel } from './channel.js'
import { receivedError } from './errors.js'

interface Waiting {
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** A message that the operator answers, without its number. */
type Question =
  | { readonly type: 'save'; readonly call: number; readonly metaData: string }
  | {
      readonly type: 'request'
      readonly manager: number
      readonly method: 'get' | 'list' | 'apply' | 'delete' | 'scaleDown' | 'scaleUp' | 'wait'
      readonly args: readonly unknown[]
    }

/** The questions to the operator that it has not answered. */
export class Requests {
  readonly #channel: OperatorChannel
  readonly #waiting = new Map<number, Waiting>()
  #last = 0

  constructor(channel: OperatorChannel) {
    this.#channel = channel
  }

  /** Asks the operator; rejects with its error, or with the reason of the signal. */
  ask(question: Question, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted()
    const id = ++this.#last
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.delete(id)
        this.#channel.send({ type: 'cancel', id })
        reject(signal?.reason)
      }
      const forget = () => signal?.removeEventListener('abort', onAbort)
      this.#channel.send({ ...question, id })
      this.#waiting.set(id, {
        resolve(value) {
          forget()
          resolve(value)
        },
        reject(error) {
          forget()
          reject(error)
        },
      })
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  }

  /** Takes an answer of the operator. */
  answer({ id, value, error }: { id: number; value?: unknown; error?: SentError }): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error) waiting?.reject(receivedError(error))
    else waiting?.resolve(value)
  }
}
