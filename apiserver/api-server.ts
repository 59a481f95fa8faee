/**
 * A Kubernetes API server in this process: objects in memory, the API's rules around them, two doors to
 * come in by. It is what development and tests run on where there is no cluster.
 *
 * It promises the answers a kube-apiserver would give, down to the texts; the cases in conformance/ say which
 * and are run against both. Everything is kept as raw JSON. It knows nothing of vcluster. Nothing that needs a
 * node happens: pods do not run, and their logs and connections answer as where no node can be reached.
 */

import { ApiError } from '../sdk/kube/error.js'
import { callerIfKnown, checkAllowed, identify } from './access/admit.js'
import { alwaysAllow } from './access/authorizer.js'
import { Flows } from './access/flows.js'
import { bootstrapRbac } from './access/rbac/bootstrap.js'
import { RbacAuthorizer } from './access/rbac/rbac-authorizer.js'
import { issuerDiscovery } from './access/tokens/issuer-discovery.js'
import { ServiceAccountTokens } from './access/tokens/service-account-tokens.js'
import { TokenAuthenticator } from './access/tokens/token-authenticator.js'
import { machineClock, type ServerClock } from './clock.js'
import { type ResourceRequest, type ServerParts, storageKey } from './context.js'
import { Controllers } from './controllers/controllers.js'
import { internalRequest } from './controllers/internal-request.js'
import { NodePorts, ServiceAddresses } from './controllers/pools.js'
import { nonResource } from './discovery/non-resource.js'
import { dispatch, isServedPath, verbOf } from './dispatch.js'
import { ADMINISTRATOR } from './doors/authentication.js'
import { type Authority, createAuthority } from './doors/certificates.js'
import { HttpsDoor, type Intercept } from './doors/https-door.js'
import { writeKubeconfig } from './doors/kubeconfig.js'
import { Faults } from './faults/faults.js'
import { serveWithFaults } from './faults/serve-with-faults.js'
import { type Identity, randomIdentity, seededIdentity } from './identity.js'
import type { OpenObject } from './kinds/kind-rules.js'
import { type ServiceSpec, specOf } from './kinds/service/spec.js'
import { OpenWatches } from './open-watches.js'
import { compressed } from './output/compressed.js'
import { errorResponse, plainText } from './output/writer.js'
import { Registry } from './registry.js'
import type { ApiRequest, ApiResponse, UserInfo } from './request.js'
import { type RequestInfo, requestInfo } from './request-info.js'
import { checkTimeout } from './request-timeout.js'
import { failure, methodNotAllowed, noSuchResource } from './status.js'
import type { ReadableStore } from './store/readable.js'
import { Store, type StoreSnapshot } from './store/store.js'
import { createObject } from './verbs/create.js'
import { isOn } from './verbs/list-options.js'
import { warningHeader } from './verbs/report.js'

/** How {@link createApiServer} makes a server. */
export interface ApiServerOptions {
  /** Names the cluster in kubeconfigs; default `embedded`. */
  name?: string
  /** Where time comes from; default the machine's clock. */
  clock?: ServerClock
  /** Makes UIDs and invented names repeatable; random by default. */
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
   * Whether the server collects garbage, fills new namespaces and empties deleted ones; default true. With
   * false it behaves as a kube-apiserver without a kube-controller-manager.
   */
  controllers?: boolean
  /** Bearer tokens and whose they are; none by default. */
  tokens?: Readonly<Record<string, UserInfo>>
  /**
   * Who may do what: with `always`, the default, everyone who is known may do everything; with `rbac` the
   * Roles and Bindings decide, the default ones are there from the start, and nobody known is `system:anonymous`.
   */
  authorization?: 'always' | 'rbac'
}

/** Where {@link ApiServer.listen} listens. */
export interface ListenOptions {
  /** Default 127.0.0.1. */
  host?: string
  /** Default 0: any free port. */
  port?: number
}

/** For whom {@link ApiServer.kubeconfig} is. */
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
  /** Serves one request in process. Every no is an answer; it rejects only where a fault rule breaks the connection. */
  handle(request: ApiRequest): Promise<ApiResponse>
  /** Opens the HTTPS door and answers its URL. Rejects with a sentence when the port is taken. */
  listen(options?: ListenOptions): Promise<string>
  /**
   * Opens another HTTPS listener and answers its URL: `intercept` sees each of its requests before anybody is asked who they
   * are, as a proxy in front of the server does. Rejects with a sentence when the port is taken.
   */
  listenBehind(intercept: Intercept, options?: ListenOptions): Promise<string>
  /** Where the HTTPS door is. Throws before {@link listen}. */
  readonly url: string
  /** The resourceVersion of the last write. */
  readonly resourceVersion: string
  /** A kubeconfig (YAML, everything inline) for the HTTPS door. */
  kubeconfig(options?: KubeconfigUserOptions): Promise<string>
  /** What goes wrong between clients and the server: nothing, until a rule is added. */
  readonly faults: Faults
  /** Forgets all history, as etcd's compaction does: older watches and continue tokens answer 410. */
  compact(): void
  /** Everything the server holds now, to {@link restore} it later; costs little, because nothing is copied. */
  snapshot(): Snapshot
  /**
   * Goes to a snapshot, as a cluster whose etcd is restored from a backup: resourceVersions are counted from
   * there, which may be backwards, every watch ends, and history begins with it.
   */
  restore(snapshot: Snapshot): void
  /** Ends every watch, closes every connection and leaves nothing running. */
  close(): Promise<void>
}

/** What a server held at one time; see {@link ApiServer.snapshot}. */
export interface Snapshot {
  /** The resourceVersion of the last write before it was taken. */
  readonly resourceVersion: string
  readonly content: StoreSnapshot
}

/** Namespaces that are always there. */
const FIRST_NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system']

/**
 * Creates an embedded API server with the namespaces that every cluster has. It serves requests in process; call `listen` to
 * serve HTTPS, too.
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

/** In a path, before any query: no such URL. */
const STRAY_PERCENT = /^[^?]*%(?![\da-f]{2})/i

/** What one request reads from, and what its client is told beside the answer, also where that is no. */
interface Serving extends Pick<ResourceRequest, 'reads' | 'warnings'> {
  readonly headers: Record<string, string>
}

class EmbeddedApiServer implements ApiServer {
  readonly faults = new Faults()
  readonly #name: string
  readonly #authority: Authority
  readonly #parts: ServerParts
  readonly #controllers: Controllers
  readonly #watches = new OpenWatches()
  readonly #flows: Flows
  #door: HttpsDoor | undefined
  readonly #furtherDoors: HttpsDoor[] = []
  #url: string | undefined

  constructor(authority: Authority, options: ApiServerOptions) {
    const { name = 'embedded', controllers = true } = options
    this.#name = name
    this.#authority = authority
    this.#parts = partsOf(options, this.#watches)
    this.#controllers = new Controllers(this.#parts, {
      authority: authority.certificate,
      enabled: controllers,
    })
    // An identity of its own: what headers say changes no UID of an object.
    this.#flows = new Flows(identityOf(options.seed))
    if (options.authorization === 'rbac') bootstrapRbac(this.#parts)
    this.#createFirstNamespaces()
  }

  async handle(request: ApiRequest): Promise<ApiResponse> {
    const isAdministrator = request.headers?.authorization === undefined
    return this.#serve(isAdministrator ? { user: ADMINISTRATOR, ...request } : request)
  }

  async listen({ host = '127.0.0.1', port = 0 }: ListenOptions = {}): Promise<string> {
    if (this.#door !== undefined)
      throw new Error(`the API server "${this.#name}" listens already, at ${this.url}`)
    this.#door = this.#newDoor(host)
    this.#url = await this.#opened(this.#door, { host, port }).catch((error: unknown) => {
      this.#door = undefined
      throw error
    })
    return this.#url
  }

  async listenBehind(
    intercept: Intercept,
    { host = '127.0.0.1', port = 0 }: ListenOptions = {},
  ): Promise<string> {
    const door = this.#newDoor(host, intercept)
    const url = await this.#opened(door, { host, port })
    this.#furtherDoors.push(door)
    return url
  }

  #newDoor(host: string, intercept?: Intercept): HttpsDoor {
    return new HttpsDoor({
      server: this.#authority.server(host),
      authority: this.#authority.certificate,
      handle: (request) => this.#serve(request),
      intercept,
    })
  }

  async #opened(door: HttpsDoor, { host, port }: Required<ListenOptions>): Promise<string> {
    const taken = await door.listen(host, port)
    return `https://${host.includes(':') ? `[${host}]` : host}:${taken}`
  }

  get url(): string {
    if (this.#url === undefined)
      throw new Error(`the API server "${this.#name}" has no URL; call listen() first`)
    return this.#url
  }

  get resourceVersion(): string {
    return String(this.#parts.store.revision)
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
    this.#parts.store.compact()
  }

  snapshot(): Snapshot {
    const content = this.#parts.store.snapshot()
    return { resourceVersion: String(content.revision), content }
  }

  restore({ content }: Snapshot): void {
    this.#watches.endAll()
    this.#parts.store.restore(content)
    this.#controllers.relist()
  }

  async close(): Promise<void> {
    this.#watches.close()
    this.#controllers.close()
    await Promise.all([this.#door, ...this.#furtherDoors].map((door) => door?.close()))
  }

  #createFirstNamespaces(): void {
    const resource = this.#parts.registry.find('', 'v1', 'namespaces')
    if (resource === undefined) return
    const request = internalRequest(this.#parts, { resource, caller: 'kube-apiserver' })
    for (const name of FIRST_NAMESPACES) createObject(request, { metadata: { name } }, { dryRun: false })
    this.#controllers.settle()
  }

  #serve(request: ApiRequest): Promise<ApiResponse> {
    const { store, clock, closing } = this.#parts
    const { faults } = this
    if (faults.isEmpty) return this.#answer(request, store)
    const serve = (reads: ReadableStore) => this.#answer(request, reads)
    const user = callerIfKnown(request, this.#parts)
    return serveWithFaults(request, user, { faults, clock, store, closing, serve })
  }

  async #answer(request: ApiRequest, reads: ReadableStore): Promise<ApiResponse> {
    const warnings: string[] = []
    const headers = this.#flows.auditHeaders(request.headers?.['audit-id'])
    const answer = await this.#tryAnswer(request, { reads, warnings, headers })
    Object.assign(answer.headers, headers)
    if (warnings.length > 0) answer.headers.warning = warningHeader(warnings)
    // Its headers, the length of the body among them, are those of the answer that a GET is given.
    if (request.method === 'HEAD' && answer.body instanceof Uint8Array) answer.body = new Uint8Array()
    return compressed(request, answer)
  }

  async #tryAnswer(request: ApiRequest, serving: Serving): Promise<ApiResponse> {
    try {
      return await this.#route(request, serving)
    } catch (error) {
      return errorResponse(statusOf(error).status, request.headers?.accept)
    }
  }

  #route(request: ApiRequest, serving: Serving): Promise<ApiResponse> | ApiResponse {
    if (STRAY_PERCENT.test(request.path)) return plainText(400, '400 Bad Request')
    const info = requestInfo(request.path)
    if (!isLongRunning(request.method, info)) checkTimeout(info.query)
    const user = this.#admit(request, info, serving.headers)
    if (info.isWatchPath === true && info.target?.subresource !== '') throw noSuchResource()
    if (info.isWatchPath === true && request.method !== 'GET') throw methodNotAllowed()
    if (info.target !== undefined && user !== undefined) {
      const { reads, warnings } = serving
      const found = this.#resourceRequest(
        request,
        { ...info, target: info.target },
        { user, reads, warnings },
      )
      if (found !== undefined && isServedPath(found))
        return dispatch(found, verbOf(methodFor(request, found), { ...info, ...found }))
      if (found !== undefined && found.resource.custom === undefined) throw noSuchResource()
    }
    const answer =
      nonResource(request, info, this.#parts) ??
      issuerDiscovery(request.method, info.path, this.#parts.issuer)
    return answer ?? plainText(404, '404 page not found\n')
  }

  /** The user as whom the request is served; its headers say what happened even where the answer is no. */
  #admit(request: ApiRequest, info: RequestInfo, headers: Record<string, string>): UserInfo | undefined {
    const attributes = identify(request, info, this.#parts)
    Object.assign(headers, this.#flows.flowHeaders(attributes, info.path))
    if (attributes !== undefined) checkAllowed(attributes, this.#parts)
    return attributes?.user
  }

  #resourceRequest(
    { headers = {}, body, signal }: ApiRequest,
    { target, query }: Required<Pick<RequestInfo, 'target' | 'query'>>,
    { user, reads, warnings }: Pick<ResourceRequest, 'user' | 'reads' | 'warnings'>,
  ): ResourceRequest | undefined {
    const { registry } = this.#parts
    const resource = registry.find(target.group, target.version, target.plural)
    if (resource !== undefined) {
      return {
        server: this.#parts,
        reads,
        resource,
        target,
        query,
        headers,
        body,
        user,
        signal,
        warnings,
        repeatedKeys: [],
      }
    }
    if (registry.isBuiltIn(target.group)) throw noSuchResource()
    return undefined
  }
}

/** Custom resources take a HEAD for a GET whose body nobody wants; the built-in ones do not have it. */
function methodFor({ method }: ApiRequest, { resource }: ResourceRequest): string {
  return method === 'HEAD' && resource.custom !== undefined ? 'GET' : method
}

function partsOf(options: ApiServerOptions, watches: OpenWatches): ServerParts {
  const { clock = machineClock, seed, bookmarkIntervalMs = 60_000, watchTimeoutMs = 1_800_000 } = options
  const store = new Store(options)
  const identity = identityOf(seed)
  const issuer = new ServiceAccountTokens({ store, clock, identity })
  return {
    store,
    registry: new Registry(),
    clock,
    identity,
    authorizer: options.authorization === 'rbac' ? new RbacAuthorizer(store) : alwaysAllow,
    issuer,
    tokens: new TokenAuthenticator(options.tokens ?? {}, issuer),
    bookmarkIntervalMs,
    watchTimeoutMs,
    get closing() {
      return watches.signal
    },
    find: (storage, namespace, name) =>
      store.collection(storage).get(storageKey(namespace, name))?.object as OpenObject | undefined,
    serviceAddresses: new ServiceAddresses((address) => isHeld(store, (spec) => spec.clusterIP === address)),
    nodePorts: new NodePorts((port) => isHeld(store, (spec) => opensPort(spec, port))),
  }
}

function identityOf(seed: number | undefined): Identity {
  return seed === undefined ? randomIdentity : seededIdentity(seed)
}

function isHeld(store: Store, holds: (spec: ServiceSpec) => boolean): boolean {
  for (const { object } of store.collection('services').scan()) {
    if (holds(specOf(object as OpenObject))) return true
  }
  return false
}

function opensPort({ ports = [], healthCheckNodePort }: ServiceSpec, port: number): boolean {
  return healthCheckNodePort === port || ports.some(({ nodePort }) => nodePort === port)
}

/** Calls without a deadline: watches, and streams to and from a container. */
function isLongRunning(method: string, { query, target }: RequestInfo): boolean {
  if (method === 'GET' && isOn(query.get('watch'))) return true
  return STREAMS.includes(target?.subresource.split('/')[0] ?? '')
}

const STREAMS = ['log', 'exec', 'attach', 'portforward', 'proxy']

/** What went wrong as an answer; anything unexpected is a 500 that says so. */
function statusOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const message = error instanceof Error ? error.message : String(error)
  return failure(500, `Internal error occurred: ${message}`, { reason: 'InternalError' })
}
