import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Authorizer } from '../access/authorizer.js'
import type { ServiceAccountTokens } from '../access/tokens/service-account-tokens.js'
import type { TokenAuthenticator } from '../access/tokens/token-authenticator.js'
import type { ServerClock } from '../base/clock.js'
import type { Identity } from '../base/identity.js'
import type { UserInfo } from '../request/request.js'
import type { ResourceTarget } from '../request/request-info.js'
import type { KindServices } from '../resources/kind-rules.js'
import type { ServedResource } from '../resources/served-resource.js'
import type { ReadableStore, WritableStore } from '../store/readable.js'
import type { Store } from '../store/store.js'
import type { ApiServerOptions } from './options.js'
import type { Registry } from './registry.js'

/** The parts of one server, which verbs and controllers use. */
export interface ServerParts extends KindServices {
  readonly store: WritableStore
  readonly registry: Registry
  readonly clock: ServerClock
  readonly identity: Identity
  readonly authorizer: Authorizer
  /** Issues the tokens of service accounts. */
  readonly issuer: ServiceAccountTokens
  /** Finds the user of a bearer token. */
  readonly tokens: TokenAuthenticator
  /** Milliseconds between the bookmarks of a watch. */
  readonly bookmarkIntervalMs: number
  /** Milliseconds after which a watch without `timeoutSeconds` ends. */
  readonly watchTimeoutMs: number
  /** Finds the `host:port` of the Service of a webhook; undefined if there is none. */
  readonly resolveService: NonNullable<ApiServerOptions['resolveService']>
  /** Ends every watch when the server closes or goes back to a snapshot. */
  readonly closing: AbortSignal
}

/** The parts of a server with the store itself, which starts, stops and restores. */
export interface OwnerParts extends ServerParts {
  readonly store: Store
}

/** A request for a resource that is served, from an authenticated caller. */
export interface ResourceRequest {
  readonly server: ServerParts
  /** The source of gets, lists and watches; the server's store, or its past by a fault rule. */
  readonly reads: ReadableStore
  readonly resource: ServedResource
  readonly target: ResourceTarget
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string | Uint8Array | undefined
  readonly user: UserInfo
  readonly signal: AbortSignal | undefined
  /** Warnings for the `Warning` header of the answer. */
  readonly warnings: string[]
  /** Collects a message for each duplicate key in a YAML body. */
  readonly repeatedKeys: string[]
}

/** The key of an object in its collection. */
export function storageKey(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`
}

/** The key of an object in its collection, from its metadata. */
export function keyOfObject({ metadata }: KubeObject): string {
  return storageKey(metadata.namespace ?? '', metadata.name ?? '')
}
