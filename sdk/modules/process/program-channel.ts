import type { Duplex } from 'node:stream'
import { stringifyJson } from '../../engine/kube/json.js'
import type { Clock } from '../../engine/time/clock.js'
import { LineSplitter } from './line-splitter.js'
import { readMessage } from './message-schema.js'
import { type FromChild, maxMessageBytes, type ToChild } from './messages.js'
import { readThrottled } from './throttle.js'

/**
 * The maximum number of bytes of messages per second; beyond it the process waits. Each message counts as at least
 * `minMessageBytes`, so a process can send 2048 messages per second.
 */
const bytesPerSecond = 16 * 1024 * 1024
const minMessageBytes = 8 * 1024
/** How long a process may go on after it has closed the connection, in milliseconds. */
const maxClosedMs = 1_000
/** The maximum number of bytes that are sent and that the process has not read. */
const maxBacklog = 4 * maxMessageBytes

/** The events of a channel. */
export interface ChannelEvents {
  /** Called with a message that has the shape of its type; its content is not checked. */
  onMessage(message: FromChild): void
  /** The process broke the protocol: `why` continues "the process sent …" or "the process …". */
  onViolation(why: string): void
}

/** The connection to the process of a program, which may be hostile. */
export class ProgramChannel {
  readonly #stream: Duplex
  readonly #events: ChannelEvents
  readonly #lines = new LineSplitter(maxMessageBytes)
  #closed = false
  #cancel = () => {}

  constructor(stream: Duplex, clock: Clock, events: ChannelEvents) {
    this.#stream = stream
    this.#events = events
    stream.on('error', () => {})
    // A process that ends closes the connection too; then its end becomes known soon.
    stream.once('close', () => {
      if (!this.#closed)
        this.#cancel = clock.schedule(maxClosedMs, () => this.#reportViolation('closed its connection'))
    })
    readThrottled(stream, { clock, bytesPerSecond }, (chunk) => this.#take(chunk))
  }

  /**
   * Sends a message. Throws a `RangeError` for one that is too long. A message to a process that has ended is dropped.
   */
  send(message: ToChild): void {
    const text = stringifyJson(message)
    const bytes = Buffer.byteLength(text)
    if (bytes > maxMessageBytes)
      throw new RangeError(`${bytes} bytes for a program; at most ${maxMessageBytes} are permitted`)
    if (this.#closed || this.#stream.destroyed) return
    this.#stream.write(`${text}\n`)
    if (this.#stream.writableLength > maxBacklog) this.#reportViolation('did not read its messages')
  }

  /** Drops all further messages. */
  close(): void {
    this.#closed = true
    this.#cancel()
    this.#stream.destroy()
  }

  /** Handles the messages in a chunk, and returns the number of bytes that the chunk counts as. */
  #take(chunk: Buffer): number {
    try {
      const lines = this.#lines.push(chunk)
      for (const line of lines) {
        if (this.#closed) break
        this.#events.onMessage(readMessage(line))
      }
      return lines.length * minMessageBytes
    } catch (error) {
      this.#reportViolation(`sent ${error instanceof Error ? error.message : String(error)}`)
      return 0
    }
  }

  #reportViolation(why: string): void {
    if (this.#closed) return
    this.close()
    this.#events.onViolation(why)
  }
}
