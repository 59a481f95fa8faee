import type { ObjectMeta } from '../../sdk/kube/object.js'

/**
 * What the conformance cases see of an API server. The same cases run against the embedded one and against a
 * kube-apiserver, so nothing here may be more than HTTP and JSON.
 */
export interface ClusterUnderTest {
  /** For titles and namespaces, for example `embedded`. */
  readonly name: string
  /** What it calls itself in `/version`, for example `v1.36.3`. */
  readonly version: string
  /** Whether something collects garbage, empties deleted namespaces and fills new ones. */
  readonly hasControllerManager: boolean
  /** Makes one call as the administrator, or as whoever the options name. */
  request(call: Call): Promise<Answer>
  /** Opens a watch. Rejects when the server does not begin one. */
  watch(path: string, headers?: Readonly<Record<string, string>>): Promise<EventStream>
  close(): Promise<void>
}

/** One HTTP call. */
export interface Call {
  readonly method: string
  /** Path with query. */
  readonly path: string
  /** Lower-case header names. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | Uint8Array | undefined
  /** Default true; false comes without the administrator's certificate, so that headers alone say who it is. */
  readonly asAdministrator?: boolean | undefined
}

/** What a call came to. */
export interface Answer {
  readonly status: number
  /** Lower-case header names. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as it came. */
  readonly text: string
  /** The body as JSON; `{ metadata: {} }` when it is not. */
  readonly body: Body
}

/** Any object, list or Status: what the API answers with. */
export interface Body {
  apiVersion?: string
  kind?: string
  metadata: ObjectMeta & { continue?: string; remainingItemCount?: number }
  items?: Body[]
  [field: string]: unknown
}

/** One line of a watch. */
export interface StreamedEvent {
  readonly type: string
  readonly object: Body
}

/** A watch that is open. */
export interface EventStream extends AsyncIterable<StreamedEvent> {
  /** The next event, `undefined` at the end of the watch. */
  next(): Promise<StreamedEvent | undefined>
  /** The next so many events; rejects when the watch ends before. */
  take(count: number): Promise<StreamedEvent[]>
  close(): void
}
