import { type Credential, impersonationHeaders } from './credential.js'
import type { TransportRequest } from './transport.js'
import { formatUserAgent } from './user-agent.js'

type Headers = Readonly<Credential['headers']>

/** Makes the headers of calls. The usual headers are made once for each credential and media type. */
export class CallHeaders {
  readonly #userAgent: string
  readonly #cache = new Map<string, Headers>()
  #credential: Credential | undefined

  /** The default of `userAgent` is `vcluster-plugin-sdk/<version>`. */
  constructor(userAgent = formatUserAgent()) {
    this.#userAgent = userAgent
  }

  /** The headers of a request with a credential. */
  of({ headers = {}, as }: Pick<TransportRequest, 'headers' | 'as'>, credential: Credential): Headers {
    const { accept = '', 'content-type': type = '', ...otherHeaders } = headers
    if (as)
      return this.#joinHeaders(headers, { ...withoutImpersonation(credential), ...impersonationHeaders(as) })
    for (const _ in otherHeaders) return this.#joinHeaders(headers, credential.headers)
    return this.#cachedHeaders(`${accept} ${type}`, headers, credential)
  }

  /** The frozen headers of a media type, made once for each credential. */
  #cachedHeaders(id: string, headers: Record<string, string>, credential: Credential): Headers {
    if (credential !== this.#credential) this.#cache.clear()
    this.#credential = credential
    const cached = this.#cache.get(id) ?? Object.freeze(this.#joinHeaders(headers, credential.headers))
    this.#cache.set(id, cached)
    return cached
  }

  #joinHeaders(headers: Record<string, string>, identity: Headers): Headers {
    return { ...headers, ...identity, 'user-agent': this.#userAgent }
  }
}

/** The headers of a credential without its impersonation, which must not mix with the impersonation of a call. */
function withoutImpersonation({ headers }: Credential): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('impersonate-')))
}
