import { abortSignalOf } from '../sdk/engine/time/cancellation.js'
import type { Transport, TransportRequest, TransportStream } from '../sdk/engine/transport/transport.js'
import { forward } from '../sdk/vcluster/hook/forward.js'
import type { Interceptors } from '../sdk/vcluster/hook/interceptors.js'
import { RuleTable } from '../sdk/vcluster/hook/rule-table.js'
import { statusResponse } from '../sdk/vcluster/hook/status-response.js'
import { bodyOf } from './body-of.js'
import { isRemovedHeader, routeOf } from './in-syncer/routes.js'

/** The host of every request. It is never resolved. */
const origin = 'https://localhost'

/**
 * vcluster's proxy for the users of a virtual cluster, in this process. A request that matches the rule of an
 * interceptor goes to the interceptor; every other request goes to the API server, as the administrator. It
 * authenticates no request, as vcluster does not.
 */
export class FrontProxy {
  readonly #virtual: Transport
  readonly #rules = new RuleTable<{ name: string }>()
  #interceptors: Pick<Interceptors, 'handle'> | undefined

  constructor(virtual: Transport) {
    this.#virtual = virtual
  }

  /** Routes requests to these interceptors from now on. Throws the error that would end a vcluster process. */
  putInFront(interceptors: Pick<Interceptors, 'handle' | 'registrations'>): void {
    const { registrations } = interceptors
    if (registrations) this.#interceptors = interceptors
    for (const [name, rules] of Object.entries(registrations ?? {})) {
      for (const rule of rules) {
        const problem = this.#rules.add(rule, { name })
        if (problem !== undefined) throw new Error(problem)
      }
    }
  }

  /** A transport for a client of the users. */
  transport(): Transport {
    return {
      request: async (request) => {
        const { chunks, ...head } = await this.#stream(request)
        return { ...head, body: await bodyOf(chunks, request) }
      },
      stream: (request) => this.#stream(request),
      close: () => this.#virtual.close(),
    }
  }

  /** Requests a path as `fetch` does. A path that `fetch` would change is answered with 400, as vcluster answers it. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const request = new Request(origin + path, init)
    if (new URL(request.url).pathname !== path.replace(/[?#].*$/s, ''))
      return statusResponse(400, 'BadRequest', 'ambiguous request path')
    const answer = this.#intercepted(request, () => request)
    return answer ?? forward(this.#virtual, request, { as: 'plugin' })
  }

  async #stream(transportRequest: TransportRequest): Promise<TransportStream> {
    const { method, path, headers = {}, body = null, signal: clientSignal } = transportRequest
    const signal = clientSignal ? abortSignalOf(clientSignal) : null
    const url = origin + path
    const answer = await this.#intercepted({ method, url }, () => {
      transportRequest.beforeSend?.()
      return new Request(url, { method, headers, body, signal })
    })
    if (!answer) return this.#virtual.stream(transportRequest)
    const chunks = answer.body ?? new Blob([]).stream()
    return { status: answer.status, headers: Object.fromEntries(answer.headers), chunks }
  }

  #intercepted(
    proxied: Pick<Request, 'method' | 'url'>,
    createRequest: () => Request,
  ): Promise<Response> | undefined {
    const route = this.#interceptors && routeOf(this.#rules, proxied)
    if (!route) return undefined
    const request = createRequest()
    for (const name of [...request.headers.keys()]) if (isRemovedHeader(name)) request.headers.delete(name)
    return this.#interceptors?.handle(route.name, request)
  }
}
