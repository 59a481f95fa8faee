import type { ServerClock } from '../base/clock.js'
import type { UserInfo } from '../request/request.js'

/** Options of `createApiServer`. */
export interface ApiServerOptions {
  /** The name of the cluster in kubeconfigs; default `embedded`. */
  name?: string
  /** The source of time; default the machine's clock. */
  clock?: ServerClock
  /** Makes UIDs and generated names repeatable; random by default. */
  seed?: number
  /** The resourceVersion before the first write; default 1. */
  firstRevision?: number
  /** Changes of each resource that a watch can still be resumed from; default 10,000. */
  historySize?: number
  /** Milliseconds between the bookmarks of a watch; default 60,000. */
  bookmarkIntervalMs?: number
  /** Milliseconds after which a watch without `timeoutSeconds` ends; default 1,800,000. */
  watchTimeoutMs?: number
  /**
   * Whether garbage collection and the namespace controllers run; default true. With false the server behaves
   * like a kube-apiserver without a kube-controller-manager.
   */
  controllers?: boolean
  /** The users of bearer tokens; none by default. */
  tokens?: Readonly<Record<string, UserInfo>>
  /**
   * Finds where the Service of a webhook listens, as `host:port`, because no pods run here. Undefined means that such a
   * Service does not exist. By default none does, so that only webhooks with a URL can be called.
   */
  resolveService?: (service: { namespace: string; name: string; port: number }) => string | undefined
  /**
   * The authorization mode: `always`, the default, allows everything to every authenticated caller; `rbac` decides by
   * Roles and Bindings, has the default ones from the start, and serves unauthenticated callers as `system:anonymous`.
   */
  authorization?: 'always' | 'rbac'
}
