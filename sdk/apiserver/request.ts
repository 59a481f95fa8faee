/** Who makes a request, as authentication found out. */
export interface UserInfo {
  readonly name: string
  readonly groups: readonly string[]
}

/** One HTTP request, whichever door it came through. */
export interface ApiRequest {
  method: string
  /** Path with query, for example `/api/v1/configmaps?limit=500`. */
  path: string
  /** Lower-case header names. */
  headers?: Readonly<Record<string, string | undefined>>
  body?: string | Uint8Array
  /** The caller. Left out, an `authorization` header decides; without one the caller is the administrator. */
  user?: UserInfo
  /** Ends a watch that the caller no longer reads. */
  signal?: AbortSignal
}

/** The answer: complete bytes, or for a watch chunks that go on arriving. */
export interface ApiResponse {
  status: number
  /** Lower-case header names. */
  headers: Record<string, string>
  body: Uint8Array | AsyncIterable<Uint8Array>
}
