import type { ObjectMeta } from '../../sdk/engine/kube/object.js'

/**
 * An API server for the conformance cases. The same cases run against the embedded server and a
 * kube-apiserver, so this interface has only HTTP and JSON.
 */
export interface ClusterUnderTest {
  /** For titles and namespaces, for example `embedded`. */
  readonly name: string
  /** The version in `/version`, for example `v1.36.3`. */
  readonly version: string
  /** Whether controllers collect garbage, empty deleted namespaces and fill new ones. */
  readonly hasControllerManager: boolean
  /** Makes one call as the administrator, or as the user in the options. */
  request(call: Call): Promise<Answer>
  /** Opens a watch. Rejects if the server does not start one. */
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
  /** Default true; with false the call has no client certificate, so that only headers identify the user. */
  readonly asAdministrator?: boolean | undefined
}

/** The response to a call. */
export interface Answer {
  readonly status: number
  /** Lower-case header names. */
  readonly headers: Readonly<Record<string, string>>
  /** The raw body. */
  readonly text: string
  /** The body as JSON; `{ metadata: {} }` if it is not JSON. */
  readonly body: Body
}

/** Any object, list or Status in a response. */
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

/** An open watch. */
export interface EventStream extends AsyncIterable<StreamedEvent> {
  /** The next event, `undefined` at the end of the watch. */
  next(): Promise<StreamedEvent | undefined>
  /** The next `count` events; rejects if the watch ends before. */
  take(count: number): Promise<StreamedEvent[]>
  close(): void
}
