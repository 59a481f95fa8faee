import type { MetaData } from '../metadata/metadata.js'
import { managerError } from './manager-error.js'
import type { FromChild } from './messages.js'

interface Call {
  /** The method, for messages. */
  readonly name: string
  readonly metaData?: MetaData | undefined
}

/** A message that ends a call. */
type SentResult = Omit<Extract<FromChild, { type: 'result' }>, 'type'>
/** The result of a call that ended well. */
export type CallResult = Pick<SentResult, 'methods'> & { readonly value: boolean | undefined }

interface PendingCall extends Call {
  /** Resolves when the checkpoints that were sent are stored. */
  saved: Promise<void>
  resolve(result: CallResult): void
  reject(error: unknown): void
}

/** The calls of a process that have not ended, by their numbers. */
export class ProcessCalls {
  readonly #pending = new Map<number, PendingCall>()
  #last = 0
  #failure: ((name: string) => Error) | undefined

  /** Adds a call and returns its number and its result. After {@link failAll} the result is rejected at once. */
  add(call: Call): { id: number; result: Promise<CallResult> } {
    const id = ++this.#last
    if (this.#failure) return { id, result: Promise.reject(this.#failure(call.name)) }
    const result = new Promise<CallResult>((resolve, reject) => {
      this.#pending.set(id, { ...call, saved: Promise.resolve(), resolve, reject })
    })
    return { id, result }
  }

  /** The number of calls that have not ended. */
  get size(): number {
    return this.#pending.size
  }

  /** Whether a number was ever given to a call. */
  wasIssued(id: number): boolean {
    return id <= this.#last
  }

  forget(id: number): void {
    this.#pending.delete(id)
  }

  /** Ends a call with its result, after its checkpoints. A result of a call that has ended is dropped. */
  settle(result: SentResult): void {
    const call = this.#pending.get(result.id)
    if (!call) return
    this.#pending.delete(result.id)
    void call.saved.then(() => settleCall(call, result))
  }

  /** Copies the metadata of a checkpoint into the call and stores the metadata. */
  async save(id: number, text: string): Promise<void> {
    const call = this.#pending.get(id)
    const { metaData } = call ?? {}
    if (!call || !metaData)
      throw new Error('save after the end of the call; await it before the method returns')
    const saved = call.saved.then(async () => {
      metaData.parse(text)
      await metaData.save()
    })
    call.saved = saved.catch(() => {})
    await saved
  }

  /** Fails all calls, and those that are added later. */
  failAll(errorOf: (name: string) => Error): void {
    this.#failure = errorOf
    for (const call of this.#pending.values()) call.reject(errorOf(call.name))
    this.#pending.clear()
  }
}

function settleCall(
  { metaData, resolve, reject }: PendingCall,
  { value, methods, error, metaData: text }: SentResult,
): void {
  try {
    if (text !== undefined) metaData?.parse(text)
  } catch (problem) {
    reject(problem)
    return
  }
  if (error) reject(managerError(error))
  else resolve({ value: typeof value === 'boolean' ? value : undefined, methods })
}
