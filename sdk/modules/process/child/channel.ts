import { Socket } from 'node:net'
import { parseJson, stringifyJson } from '../../../engine/kube/json.js'
import { LineSplitter } from '../line-splitter.js'
import { type FromChild, maxMessageBytes, type ToChild } from '../messages.js'

/** The file descriptor of the connection to the operator. */
const descriptor = 3

/** The connection of a program's process to the operator. The process ends when the operator closes it. */
export class OperatorChannel {
  readonly #socket = new Socket({ fd: descriptor, readable: true, writable: true })
  readonly #lines = new LineSplitter(maxMessageBytes)

  /** Calls back for each message. */
  listen(onMessage: (message: ToChild) => void): void {
    this.#socket.on('data', (chunk: Buffer) => {
      for (const line of this.#lines.push(chunk)) onMessage(parseJson(line) as ToChild)
    })
    for (const event of ['end', 'error', 'close']) this.#socket.on(event, () => process.exit())
  }

  /** Sends a message. Throws a `RangeError` for one that is too long. */
  send(message: FromChild): void {
    const text = stringifyJson(message)
    const bytes = Buffer.byteLength(text)
    if (bytes > maxMessageBytes)
      throw new RangeError(
        `a message of ${bytes} bytes to the operator; at most ${maxMessageBytes} are permitted`,
      )
    this.#socket.write(`${text}\n`)
  }

  /** Whether the operator has too many unread bytes to send it more log lines. */
  get isBehind(): boolean {
    return this.#socket.writableLength > 1024 * 1024
  }

  /**
   * Sends a last message. The operator closes the connection when it has read it. If this process ended first, a
   * message of the operator on its way would destroy the connection, and the last one with it.
   */
  sendLast(message: FromChild): void {
    this.#socket.write(`${stringifyJson(message)}\n`)
    setTimeout(() => process.exit(1), 10_000)
  }
}
