import { callerIfKnown } from './access/admit.js'
import { administrator } from './access/authorizer.js'
import { Flows } from './access/flows.js'
import { createIdentity } from './base/identity.js'
import { bootstrapCluster } from './controllers/bootstrap-cluster.js'
import { bootstrapRbac } from './controllers/bootstrap-rbac.js'
import { Controllers } from './controllers/controllers.js'
import { FaultRules, type Faults } from './faults/faults.js'
import { serveWithFaults } from './faults/serve-with-faults.js'
import { RequestHandler } from './handler/request-handler.js'
import { type Authority, createAuthority } from './listeners/certificates.js'
import { HttpsListener, type Intercept } from './listeners/https-listener.js'
import { writeKubeconfig } from './listeners/kubeconfig.js'
import type { ApiRequest, ApiResponse } from './request/request.js'
import type { OwnerParts } from './server/context.js'
import { OpenWatches } from './server/open-watches.js'
import type { ApiServerOptions } from './server/options.js'
import { createServerParts } from './server/server-parts.js'
import { contentOf, type Snapshot, StoredSnapshot } from './snapshot.js'
import type { ReadableStore } from './store/readable.js'

/** Options of {@link ApiServer.listen}. */
export interface ListenOptions {
  /** Default 127.0.0.1. */
  host?: string
  /** Default 0: any free port. */
  port?: number
}

/** Options of {@link ApiServer.kubeconfig}. */
export interface KubeconfigUserOptions {
  /** The user's name, default `admin`. */
  user?: string
  /** The user's groups, default `system:masters`. */
  groups?: readonly string[]
  /** A bearer token instead of a client certificate; one of the server's `tokens`. */
  token?: string
  /** Which of the server's URLs; default that of {@link ApiServer.listen}. */
  url?: string
}

/** A running API server; make one with {@link createApiServer}. */
export interface ApiServer {
  /**
   * Serves one request in process. A refused request resolves with its status; it rejects only if a fault
   * rule breaks the connection.
   */
  handle(request: ApiRequest): Promise<ApiResponse>
  /** Starts the HTTPS listener and returns its URL. Rejects if the port is in use. */
  listen(options?: ListenOptions): Promise<string>
  /**
   * Starts another HTTPS listener and returns its URL. `intercept` sees each of its requests before
   * authentication, as a proxy in front of the server does. Rejects if the port is in use.
   */
  listenBehind(intercept: Intercept, options?: ListenOptions): Promise<string>
  /** The URL of the HTTPS listener. Throws before {@link listen}. */
  readonly url: string
  /** The resourceVersion of the last write. */
  readonly resourceVersion: string
  /** A kubeconfig (YAML, everything inline) for the HTTPS listener. */
  kubeconfig(options?: KubeconfigUserOptions): Promise<string>
  /** The rules that inject faults between clients and the server; none at first. */
  readonly faults: Faults
  /** Drops all history, as etcd's compaction does: older watches and continue tokens get 410. */
  compact(): void
  /** Returns the state of the server, to {@link restore} it later. Costs little, because objects are not copied. */
  snapshot(): Snapshot
  /**
   * Restores a snapshot, like a cluster whose etcd is restored from a backup: resourceVersions continue from the
   * snapshot's, which may be lower than the last one, every watch ends, and history begins with the snapshot.
   */
  restore(snapshot: Snapshot): void
  /** Calls the listener after each write; the returned function removes it. */
  onWrite(listener: () => void): () => void
  /** Ends every watch, closes every connection and stops all timers. */
  close(): Promise<void>
}

/**
 * Creates an embedded API server with the namespaces that every cluster has, and the Service `default/kubernetes`. It
 * serves requests in process; call `listen` to serve HTTPS, too.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 *
 * const server = await createApiServer({ name: 'virtual' })
 * const url = await server.listen()
 * await writeFile('virtual.kubeconfig', await server.kubeconfig())
 * console.log(`kubectl --kubeconfig virtual.kubeconfig get namespaces # at ${url}`)
 * await server.close()
 * ```
 */
export async function createApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  return new EmbeddedApiServer(createAuthority(options.name ?? 'embedded'), options)
}

class EmbeddedApiServer implements ApiServer {
  readonly faults = new FaultRules()
  readonly #name: string
  readonly #authority: Authority
  readonly #ownerParts: OwnerParts
  readonly #controllers: Controllers
  readonly #watches = new OpenWatches()
  readonly #handler: RequestHandler
  #listener: HttpsListener | undefined
  readonly #furtherListeners: HttpsListener[] = []
  #url: string | undefined

  constructor(authority: Authority, options: ApiServerOptions) {
    const { name = 'embedded', controllers = true } = options
    this.#name = name
    this.#authority = authority
    this.#ownerParts = createServerParts(options, this.#watches)
    this.#controllers = new Controllers(this.#ownerParts, {
      authority: authority.certificate,
      enabled: controllers,
    })
    // Flows use a separate identity, so that headers do not change the UIDs of objects.
    this.#handler = new RequestHandler(this.#ownerParts, new Flows(createIdentity(options.seed)))
    bootstrapCluster(this.#ownerParts, authority.certificate)
    if (options.authorization === 'rbac') bootstrapRbac(this.#ownerParts)
    this.#controllers.settle()
  }

  async handle(request: ApiRequest): Promise<ApiResponse> {
    const isAdministrator = request.headers?.authorization === undefined
    return this.#serve(isAdministrator ? { user: administrator, ...request } : request)
  }

  async listen({ host = '127.0.0.1', port = 0 }: ListenOptions = {}): Promise<string> {
    if (this.#listener !== undefined)
      throw new Error(`the API server "${this.#name}" is already listening at ${this.url}`)
    this.#listener = this.#newListener(host)
    this.#url = await this.#open(this.#listener, { host, port }).catch((error: unknown) => {
      this.#listener = undefined
      throw error
    })
    return this.#url
  }

  async listenBehind(
    intercept: Intercept,
    { host = '127.0.0.1', port = 0 }: ListenOptions = {},
  ): Promise<string> {
    const listener = this.#newListener(host, intercept)
    const url = await this.#open(listener, { host, port })
    this.#furtherListeners.push(listener)
    return url
  }

  #newListener(host: string, intercept?: Intercept): HttpsListener {
    return new HttpsListener({
      serverKeyPair: this.#authority.server(host),
      authority: this.#authority.certificate,
      handle: (request) => this.#serve(request),
      intercept,
    })
  }

  async #open(listener: HttpsListener, { host, port }: Required<ListenOptions>): Promise<string> {
    const actualPort = await listener.listen(host, port)
    return `https://${host.includes(':') ? `[${host}]` : host}:${actualPort}`
  }

  get url(): string {
    if (this.#url === undefined)
      throw new Error(`the API server "${this.#name}" has no URL; call listen() first`)
    return this.#url
  }

  get resourceVersion(): string {
    return String(this.#ownerParts.store.revision)
  }

  async kubeconfig({
    user = 'admin',
    groups = ['system:masters'],
    token,
    url = this.url,
  }: KubeconfigUserOptions = {}): Promise<string> {
    const credentials = token === undefined ? this.#authority.client(user, groups) : { token }
    return writeKubeconfig({
      name: this.#name,
      url,
      user,
      authority: this.#authority.certificate,
      credentials,
    })
  }

  compact(): void {
    this.#ownerParts.store.compact()
  }

  snapshot(): Snapshot {
    return new StoredSnapshot(this.#ownerParts.store.snapshot())
  }

  restore(snapshot: Snapshot): void {
    const content = contentOf(snapshot)
    this.#watches.endAll()
    this.#ownerParts.store.restore(content)
    this.#controllers.relist()
  }

  onWrite(listener: () => void): () => void {
    return this.#ownerParts.store.onChange(() => listener())
  }

  async close(): Promise<void> {
    this.#watches.close()
    this.#controllers.close()
    await Promise.all([this.#listener, ...this.#furtherListeners].map((listener) => listener?.close()))
  }

  #serve(request: ApiRequest): Promise<ApiResponse> {
    const { store, clock, closing } = this.#ownerParts
    const { faults } = this
    if (faults.isEmpty) return this.#handler.handle(request, store)
    const serve = (reads: ReadableStore) => this.#handler.handle(request, reads)
    const user = callerIfKnown(request, this.#ownerParts)
    return serveWithFaults(request, user, { faults, clock, store, closing, serve })
  }
}
