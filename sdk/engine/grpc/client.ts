/**
 * A gRPC client on Node's HTTP/2: calls with one request and one response, and calls whose messages are read until they
 * are cancelled. Proxies in the environment are ignored: the servers are in the same Pod or cluster.
 */
import type { ClientHttp2Session } from 'node:http2'
import { CallLimit } from './call-limit.js'
import { ClientCall, type ClientCallOptions } from './client-call.js'
import { Connection, type GrpcTarget } from './connection.js'
import { GrpcError } from './grpc-error.js'
import type { Method } from './service.js'
import { GrpcStatus } from './status.js'

/** Limits of one call. */
export interface GrpcCallOptions {
  /** The limit of the whole call in milliseconds, connecting included. Default 10,000; `Infinity` for none. */
  timeoutMs?: number | undefined
  /** Cancels the call, which then rejects with the signal's reason. Default: not cancellable. */
  signal?: AbortSignal | undefined
}

const defaultTimeoutMs = 10_000
/** gRPC's default. */
const defaultMaxMessageBytes = 4 * 2 ** 20

/**
 * A client of one server.
 *
 * @example
 * ```ts
 * const client = new GrpcClient({ address: '127.0.0.1:10099' })
 * const { status } = await client.call(methodsOf(HealthDefinition).check, { service: '' })
 * client.close()
 * ```
 */
export class GrpcClient {
  readonly #target: GrpcTarget
  readonly #connection: Connection
  readonly #maxMessageBytes: number

  /** Larger messages than `maxMessageBytes` are refused with `RESOURCE_EXHAUSTED`; default 4 MiB. */
  constructor(
    target: GrpcTarget,
    { maxMessageBytes = defaultMaxMessageBytes }: { maxMessageBytes?: number } = {},
  ) {
    this.#target = target
    this.#connection = new Connection(target)
    this.#maxMessageBytes = maxMessageBytes
  }

  /** Calls a method with one request and one response. Rejects with {@link GrpcError}, or the reason of the signal. */
  async call<Request, Response>(
    { path, encodeRequest, decodeResponse }: Method<Request, Response>,
    request: Request,
    { timeoutMs = defaultTimeoutMs, signal }: GrpcCallOptions = {},
  ): Promise<Response> {
    const limitMs = Number.isFinite(timeoutMs) ? timeoutMs : undefined
    const limit = new CallLimit(limitMs, signal)
    try {
      const session = await limit.race(this.#connection.session())
      const maxMessageBytes = this.#maxMessageBytes
      const target = this.#target
      const sent = { target, path, request: encodeRequest(request), maxMessageBytes, timeoutMs: limitMs }
      return decoded(decodeResponse, await singleAnswer(session, sent, limit.signal))
    } finally {
      limit.end()
    }
  }

  /**
   * Calls a method whose responses are a stream, without a limit. If its requests are a stream, too, it gets none.
   * Returns a function that cancels the call. The end of the call is not reported.
   */
  stream<Request, Response>(
    method: Method<Request, Response>,
    request: Request,
    onResponse: (response: Response) => void,
  ): () => void {
    const sent = {
      target: this.#target,
      path: method.path,
      request: method.requestStream ? undefined : method.encodeRequest(request),
      maxMessageBytes: this.#maxMessageBytes,
      timeoutMs: undefined,
      onMessage: (message: Buffer) => onResponse(method.decodeResponse(message)),
      onEnd: () => {},
    }
    let isCancelled = false
    let cancel = () => {
      isCancelled = true
    }
    const start = (session: ClientHttp2Session) => {
      if (isCancelled) return
      const call = new ClientCall(session, sent)
      cancel = () => call.cancel()
    }
    this.#connection
      .session()
      .then(start)
      .catch(() => {})
    return () => cancel()
  }

  /** Ends the connection when the calls under way have ended. Later calls reject. */
  close(): void {
    this.#connection.close()
  }
}

/** Makes a call with one answer. Rejects with the reason of the signal when it is aborted. */
function singleAnswer(
  session: ClientHttp2Session,
  sent: Omit<ClientCallOptions, 'onMessage' | 'onEnd'>,
  signal: AbortSignal,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const answers: Buffer[] = []
    const onMessage = (message: Buffer) => void answers.push(message)
    const onEnd = (error: GrpcError | undefined) => {
      const [answer, second] = answers
      if (error) return reject(error)
      if (answer && !second) return resolve(answer)
      const details = `the server sent ${answers.length} answers to ${sent.path} instead of one`
      reject(new GrpcError(GrpcStatus.INTERNAL, details))
    }
    const call = new ClientCall(session, { ...sent, onMessage, onEnd })
    const cancel = () => {
      call.cancel()
      reject(signal.reason)
    }
    signal.addEventListener('abort', cancel, { once: true })
  })
}

function decoded<Response>(decode: (bytes: Buffer) => Response, answer: Buffer): Response {
  try {
    return decode(answer)
  } catch (cause) {
    throw new GrpcError(GrpcStatus.INTERNAL, 'the answer cannot be decoded', { cause })
  }
}
