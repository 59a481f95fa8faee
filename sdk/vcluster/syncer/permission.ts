import type { Side } from '../context/register-context.js'

/** A permission that a plugin needs, in the form of a rule of a Role. */
export interface Permission {
  /** The cluster of the permission. */
  readonly side: Side
  /** API group; `''` is the core group. */
  readonly group: string
  /** The plural of the kind, with a subresource behind a slash, or a non-resource URL: `pods/log`, `/metrics`. */
  readonly resource: string
  /** The verbs needed: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`. */
  readonly verbs: readonly string[]
  /**
   * The namespace, or `''` for all namespaces and for kinds without a namespace; default the target namespace on the
   * host, `''` in the virtual cluster.
   */
  readonly namespace?: string
}
