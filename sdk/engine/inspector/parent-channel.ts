import type { Key } from '../kube/key.js'

/** The variable that `dev` sets for a program whose records it keeps. */
export const parentVariable = 'VCLUSTER_PLUGIN_INSPECT_PARENT'

/** The most records that wait for a parent that does not read. */
const maxPending = 5000

/** Records of a program, which its process sends to the one that started it. */
export interface RecordsMessage {
  readonly inspector: 'records'
  readonly records: readonly { readonly what: string }[]
}

/** Asks a program to run a key of a syncer or a controller now. */
export interface RunMessage extends Key {
  readonly inspector: 'run'
  readonly syncer: string
}

/** The parts of this process that {@link ParentChannel} uses. */
export interface ChannelProcess {
  readonly connected?: boolean
  send?(message: object, done: (error: Error | null) => void): unknown
  on(event: 'message', listener: (message: unknown) => void): unknown
}

/** Whether a message asks for a run. */
function isRunMessage(message: unknown): message is RunMessage {
  return Object(message).inspector === 'run'
}

/**
 * The channel to the process that started this one, if that is `dev`: it keeps the records over restarts, and may ask
 * for runs. One message is under way at a time; the oldest records are dropped if the parent does not read.
 */
export class ParentChannel {
  readonly #process: ChannelProcess
  #pending: RecordsMessage['records'][number][] = []
  #isSending = false

  /** Undefined for a process that `dev` did not start. */
  static open(
    env: Readonly<Record<string, string | undefined>> = process.env,
    own: ChannelProcess = process as ChannelProcess,
  ): ParentChannel | undefined {
    return env[parentVariable] === '1' && own.send ? new ParentChannel(own) : undefined
  }

  private constructor(own: ChannelProcess) {
    this.#process = own
  }

  /** Sends a record, with the others of this turn of the event loop. */
  report(record: RecordsMessage['records'][number]): void {
    if (this.#pending.push(record) > maxPending) this.#pending.shift()
    if (this.#pending.length === 1 && !this.#isSending) setImmediate(() => this.#send())
  }

  /** Calls the listener for each key that is to be run. */
  onRun(listener: (asked: RunMessage) => void): void {
    this.#process.on('message', (message) => {
      if (isRunMessage(message)) listener(message)
    })
  }

  #send(): void {
    const records = this.#pending
    if (records.length === 0 || !this.#process.connected) return
    this.#pending = []
    this.#isSending = true
    const message: RecordsMessage = { inspector: 'records', records }
    this.#process.send?.(message, () => {
      this.#isSending = false
      if (this.#pending.length > 0) this.#send()
    })
  }
}
