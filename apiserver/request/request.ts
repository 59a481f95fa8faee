/** The user of a request, as authentication found it. */
export interface UserInfo {
  readonly name: string
  readonly groups: readonly string[]
  /** Distinguishes the user from an earlier one of the same name. */
  readonly uid?: string
  /** Further facts that authentication found, by name. */
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** One HTTP request, from a listener or a caller in process. */
export interface ApiRequest {
  method: string
  /** Path with query, for example `/api/v1/configmaps?limit=500`. */
  path: string
  /** Lower-case header names; the values of a header that was sent several times are separated by `\n`. */
  headers?: Readonly<Record<string, string | undefined>>
  body?: string | Uint8Array
  /** The user. If left out, an `authorization` header decides; without one the caller is the administrator. */
  user?: UserInfo
  /** The caller showed a client certificate of another authority; only a bearer token can authenticate it. */
  untrustedCertificate?: boolean
  /** Ends a watch that the caller has stopped reading. */
  signal?: AbortSignal
}

/** The answer: complete bytes, or chunks over time for a watch. */
export interface ApiResponse {
  status: number
  /** Lower-case header names. */
  headers: Record<string, string>
  body: Uint8Array | AsyncIterable<Uint8Array>
}
