import { ApiError } from '../kube/error.js'
import type { CancelToken } from '../time/cancellation.js'
import { objectProblem } from '../transport/expected-answer.js'
import type { Transport, TransportResponse } from '../transport/transport.js'
import { readAnswer } from './answer.js'
import { noteSize } from './answer-size.js'
import { expectedAnswer, type WriteCall } from './call.js'
import type { CircuitBreaker } from './circuit-breaker.js'
import type { CallOptions } from './client.js'
import { noteOrigin } from './error-origin.js'
import { describeCall } from './path.js'
import { openGate, type WriteGate } from './write-gate.js'

/** Options of {@link ClientCalls}. */
export interface ClientCallsOptions {
  /** The cluster to speak to. */
  transport: Transport
  /** The name of the cluster, which the errors of its calls remember; default none. */
  cluster?: string
  /** Checked right before each write; default a gate that is always open. */
  gate?: WriteGate
  /** Holds back writes that cannot succeed; default none, so that every write is sent. */
  breaker?: CircuitBreaker
  /**
   * Whether a 2xx answer must contain the requested object; default true. False for the answers of interceptors, which
   * may be any JSON.
   */
  checksAnswers?: boolean
  /** Aborts calls that are given no signal of their own. */
  signal?: CancelToken
}

const defaultTimeoutMs = 60_000
const json = 'application/json'

/** A read to be sent. */
interface ReadCall extends Pick<Required<WriteCall>, 'path' | 'problemOf'> {
  /** Returns the call in words, for messages, such as `GET configmaps default/greeting`. */
  readonly description: () => string
  /** The media type of the answer; default JSON. */
  readonly accept?: string
}

/** Sends the calls of a client: writes pass the circuit breaker and the write gate, answers are checked. */
export class ClientCalls {
  readonly #options: ClientCallsOptions
  readonly #gate: WriteGate

  constructor(options: ClientCallsOptions) {
    this.#options = options
    this.#gate = options.gate ?? openGate
  }

  async read(
    { path, description, problemOf, accept = json }: ReadCall,
    options: CallOptions,
  ): Promise<object> {
    const { signal = this.#options.signal, timeoutMs } = options
    const response = await this.#options.transport.request({
      method: 'GET',
      path,
      headers: { accept },
      timeoutMs: timeoutMs ?? defaultTimeoutMs,
      ...(signal && { signal }),
    })
    const answer = this.#answer(description, response, problemOf)
    noteSize(answer, response.body.byteLength)
    return answer
  }

  write(call: WriteCall): Promise<unknown> {
    const { breaker } = this.#options
    if (!breaker) return this.#send(call)
    const { options } = call
    const subresource = 'subresource' in options ? String(options.subresource ?? '') : ''
    return breaker.run({ ...call, subresource }, () => this.#send(call))
  }

  async #send(call: WriteCall): Promise<unknown> {
    const { method, path, body, contentType, options, resource, key } = call
    const { signal = this.#options.signal, timeoutMs = defaultTimeoutMs } = options
    const gate = this.#gate
    gate.check()
    const response = await this.#options.transport.request({
      method,
      path,
      headers: { accept: json, ...(contentType && { 'content-type': contentType }) },
      timeoutMs: Math.min(timeoutMs, gate.remainingMs?.() ?? timeoutMs),
      beforeSend: () => gate.check(),
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    })
    return this.#answer(
      () => describeCall(method, resource, key),
      response,
      call.problemOf ?? ((answer) => objectProblem(expectedAnswer(call), answer)),
    )
  }

  #answer(
    description: () => string,
    response: TransportResponse,
    problemOf: Required<WriteCall>['problemOf'],
  ): object {
    const { checksAnswers = true, cluster } = this.#options
    try {
      return readAnswer(description, response, checksAnswers ? problemOf : () => undefined)
    } catch (error) {
      if (cluster !== undefined && error instanceof ApiError) noteOrigin(error, cluster)
      throw error
    }
  }
}
