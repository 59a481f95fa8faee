// Sends the requests to a registry. The permitted servers depend on who names the URL of the registry.
import { type RequestLimits, requestAllowed } from '../program/checked-request.js'
import { checkStatus } from '../program/fetch-program.js'

/** The answer of a server that is not a redirect. */
export interface RegistryAnswer {
  /** The URL that answered, after all redirects. */
  readonly url: URL
  readonly status: number
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Reads the body. Throws beyond the limit; `what` names the content in that error. */
  read(limitBytes: number, what?: string): Promise<Buffer>
}

/** Sends the requests of a registry, to servers that its caller permits. */
export interface RegistryRequests {
  /**
   * Sends a GET request and lets `use` read the answer. `authorization` must not be sent to another origin after a
   * redirect.
   */
  get<T>(
    url: string,
    request: { readonly accept: string; readonly authorization: string | undefined },
    use: (answer: RegistryAnswer) => Promise<T>,
  ): Promise<T>
  /** Throws unless the status of an answer is 200. */
  checkStatus(answer: RegistryAnswer): void
  /** The advice in messages if the registry wants credentials and there are none. */
  readonly credentialsCure: string
}

/** Requests only to servers of an allow list, which must also contain the token server. */
export function allowedRequests(
  limits: Omit<RequestLimits, 'authorization'>,
  credentialsCure = 'name a Secret with credentials that may read the chart',
): RegistryRequests {
  return {
    get: (url, { accept, authorization }, use) =>
      requestAllowed(url, { ...limits, headers: { accept }, authorization }, use),
    checkStatus,
    credentialsCure,
  }
}
