import type { Sendable } from './sendable.js'
import type { ServerConnections } from './server-connections.js'
import type { TransportResponse, TransportStream, TransportUpgrade } from './transport.js'

/** The head of every response. */
export interface Answer {
  status: number
  headers: Record<string, string>
}

/** How calls, streams and upgrades differ for `Attempts`, which sends and repeats all three. */
export interface ExchangeKind<T extends Answer> {
  /** The time limit of an exchange whose caller sets none, in milliseconds. */
  defaultTimeoutMs: number
  /** Sends the request over the connections of the server. */
  send(connections: ServerConnections, request: Sendable): Promise<T>
  /** Releases a response that is not passed on. */
  discard(answer: T): Promise<void>
  /** Whether an answer, rather than a failure, may be a reason to try again. */
  retriesAnswers: boolean
}

/** A call, whose answer is read whole. */
export const callExchange: ExchangeKind<TransportResponse> = {
  defaultTimeoutMs: 60_000,
  send: (connections, request) => connections.request(request),
  discard: async () => {},
  retriesAnswers: true,
}

/** A stream, whose answer is read as it arrives. */
export const streamExchange: ExchangeKind<TransportStream> = {
  defaultTimeoutMs: 30_000,
  send: (connections, request) => connections.stream(request),
  discard: drain,
  retriesAnswers: false,
}

/** A connection that may go on to speak another protocol. */
export const upgradeExchange: ExchangeKind<TransportUpgrade> = {
  ...streamExchange,
  send: (connections, request) => connections.upgrade(request),
  discard: async (answer) => {
    answer.socket?.destroy()
    await drain(answer)
  },
}

/** The longest body of a refusal that is read to its end, in bytes. A Status has less than 1 KiB. */
const maxDiscardedBytes = 64 * 1024

/** Reads a short body to its end, so that its connection can be used again; ends a longer one. */
async function drain({ chunks }: TransportStream): Promise<void> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    // Leaving the loop closes the stream.
    if (bytes > maxDiscardedBytes) return
  }
}
