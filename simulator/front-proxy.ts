import { forward } from '../sdk/hook/forward.js'
import type { Interceptors } from '../sdk/hook/interceptors.js'
import { RuleTable } from '../sdk/hook/rule-table.js'
import { statusResponse } from '../sdk/hook/status-response.js'
import type { Transport, TransportRequest, TransportStream } from '../sdk/transport/transport.js'
import { isTakenOut, routeOf } from './in-syncer/routes.js'

/** Where a request says that it goes; nobody is there. */
const origin = 'https://localhost'

/**
 * The way that a virtual cluster's users take, in this process: what an interceptor has a rule for goes there, the rest
 * to the API server as the administrator. It asks nobody who they are, as vcluster does not.
 */
export class FrontProxy {
  readonly #virtual: Transport
  readonly #rules = new RuleTable<{ name: string }>()
  #interceptors: Pick<Interceptors, 'handle'> | undefined

  constructor(virtual: Transport) {
    this.#virtual = virtual
  }

  /** Puts them in front from now on. Throws what a vcluster process would end with. */
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

  /** For a client. */
  transport(): Transport {
    return {
      request: async (request) => {
        const { chunks, ...head } = await this.#stream(request)
        const parts: Uint8Array[] = []
        for await (const chunk of chunks) parts.push(chunk)
        return { ...head, body: Buffer.concat(parts) }
      },
      stream: (request) => this.#stream(request),
      close: () => this.#virtual.close(),
    }
  }

  /** Asks for a path as `fetch` does. One that would become another path is answered with 400, as on vcluster's way. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const request = new Request(origin + path, init)
    if (new URL(request.url).pathname !== path.replace(/[?#].*$/s, ''))
      return statusResponse(400, 'BadRequest', 'the request cannot be read without doubt')
    const answer = this.#intercepted(request, () => request)
    return answer ?? forward(this.#virtual, request, { as: 'plugin' })
  }

  async #stream(asked: TransportRequest): Promise<TransportStream> {
    const { method, path, headers = {}, body = null, signal = null } = asked
    const url = origin + path
    const answer = await this.#intercepted(
      { method, url },
      () => new Request(url, { method, headers, body, signal }),
    )
    if (!answer) return this.#virtual.stream(asked)
    const chunks = answer.body ?? new Blob([]).stream()
    return { status: answer.status, headers: Object.fromEntries(answer.headers), chunks }
  }

  #intercepted(asked: Pick<Request, 'method' | 'url'>, whole: () => Request): Promise<Response> | undefined {
    const route = this.#interceptors && routeOf(this.#rules, asked)
    if (!route) return undefined
    const request = whole()
    for (const name of [...request.headers.keys()]) if (isTakenOut(name)) request.headers.delete(name)
    return this.#interceptors?.handle(route.name, request)
  }
}
