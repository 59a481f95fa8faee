import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Server } from 'node:net'
import { type Clock, sleep } from '../time/clock.js'

/** Options of {@link AnswersUnderWay.close}. */
export interface CloseOptions {
  clock: Clock
  /** The time for the answers under way, in milliseconds. */
  limitMs: number
  /** Breaks every connection. */
  destroy: () => void
}

/**
 * The answers that an HTTP server is giving. The server closes when it has given them, also those to requests that have
 * arrived but that Node has not read.
 *
 * ```ts
 * const answers = new AnswersUnderWay()
 * server.on('request', (_, response) => answers.add(response))
 * await answers.close(server, { clock, limitMs: 10_000, destroy: () => server.closeAllConnections() })
 * ```
 */
export class AnswersUnderWay {
  readonly #responses = new Set<ServerResponse>()

  /** Records an answer that begins. */
  add(response: ServerResponse): void {
    this.#responses.add(response)
    response.once('close', () => this.#responses.delete(response))
  }

  /** Closes the port, waits for the answers, and closes all connections. */
  async close(server: Server, { clock, limitMs, destroy }: CloseOptions): Promise<void> {
    // Connections without a request are closed at once, so what has arrived on them is read first.
    await arrivedRequests()
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    while (this.#responses.size > 0 && (await this.#answered(clock, limitMs))) await arrivedRequests()
    destroy()
    await closed
  }

  /** Resolves with true when no answer is under way, and with false after the limit. */
  async #answered(clock: Clock, limitMs: number): Promise<boolean> {
    const limit = new AbortController()
    const late = sleep(clock, limitMs, limit.signal).catch(() => {})
    const all = Promise.all([...this.#responses].map((response) => once(response, 'close')))
    const isAnswered = await Promise.race([all.then(() => true), late.then(() => false)])
    limit.abort()
    return isAnswered
  }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/**
 * Resolves when Node has read what has arrived on all connections until now. The first turn of the event loop may be
 * the end of one that has read already.
 */
async function arrivedRequests(): Promise<void> {
  await nextTurn()
  await nextTurn()
}
