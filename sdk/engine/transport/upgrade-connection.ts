import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { FailedAttempt, flattenHeaders } from './attempt.js'
import { type DialTarget, dial } from './dial.js'
import type { Sendable } from './sendable.js'
import type { TransportUpgrade } from './transport.js'

/**
 * Requests another protocol on a new connection. Resolves with that connection, or with the answer of a server that
 * refuses, whose body the signal ends. Rejects with `FailedAttempt`, or with the error of `beforeSend`.
 */
export async function upgradeConnection(target: DialTarget, request: Sendable): Promise<TransportUpgrade> {
  const socket = await dial(target, ['http/1.1']).catch((error) => {
    throw new FailedAttempt(error, { sent: false })
  })
  try {
    request.signal.throwIfAborted()
    request.beforeSend?.()
    return await exchangeHeads(target, request, socket)
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** Sends the request on the connection, and resolves with the head of the answer. */
function exchangeHeads(
  { url }: DialTarget,
  { method, path, headers, body, signal }: Sendable,
  socket: Socket,
): Promise<TransportUpgrade> {
  const sent = httpRequest({
    method,
    path,
    headers: { host: url.host, ...headers },
    createConnection: () => socket,
  })
  const abort = () => socket.destroy()
  signal.addEventListener('abort', abort, { once: true })
  // After the head of a refusal, the request closes with its body.
  sent.once('close', () => signal.removeEventListener('abort', abort))
  return new Promise<TransportUpgrade>((resolve, reject) => {
    sent.once('upgrade', (answer, connection, head) => resolve(upgraded(answer, connection, head)))
    sent.once('response', (answer) => resolve({ ...answerOf(answer), chunks: answer }))
    sent.once('error', (error) =>
      reject(signal.aborted ? signal.reason : new FailedAttempt(error, { sent: true })),
    )
    sent.end(body)
  })
}

function upgraded(answer: IncomingMessage, socket: Duplex, head: Buffer): TransportUpgrade {
  // Bytes right after the response belong to the other protocol.
  if (head.length > 0) socket.unshift(head)
  return { ...answerOf(answer), chunks: answer, socket }
}

function answerOf({ statusCode = 0, headers }: IncomingMessage) {
  return { status: statusCode, headers: flattenHeaders(headers) }
}
