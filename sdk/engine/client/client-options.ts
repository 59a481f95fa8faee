import type { Key } from '../kube/key.js'
import type { Resource } from '../kube/resource.js'
import type { Writer } from '../store/writer.js'
import type { AcceptedWrite } from './client.js'
import type { ClientCallsOptions } from './client-calls.js'

/** Options of `createClient`. */
export interface ClientOptions extends ClientCallsOptions {
  /** Called with each write that the API server accepted, except dry runs; default none. */
  onWrite?: (written: AcceptedWrite) => void
  /**
   * Called before a write of an object with a known name is sent, except dry runs. The returned function is
   * called when the write was answered, after `onWrite`, or has failed. Default none.
   */
  onSend?: (resource: Resource, key: Key) => () => void
  /** The run that writes; default none. */
  writer?: Writer
  /**
   * Called with each deletion that the API server accepted, except dry runs; for a collection with an empty name, and
   * an empty namespace if it is that of all namespaces. Default none.
   */
  onDelete?: (resource: Resource, key: Key) => void
  /**
   * The name under which the server remembers field ownership; default none, so that the server uses the User-Agent.
   */
  fieldManager?: string
  /** The limit of all pages that `listAll` reads, in bytes; default 1,073,741,824 (1 GiB). */
  maxListBytes?: number
}

/** The options that bind the calls of one run; see `bindClient`. */
export type ClientBounds = Pick<ClientOptions, 'gate' | 'signal' | 'writer' | 'onDelete'>
