import type { Service } from '../sdk/engine/kube/builtin.js'
import { ApiError } from '../sdk/engine/kube/error.js'
import { parseJson, stringifyJson } from '../sdk/engine/kube/json.js'
import type { Key } from '../sdk/engine/kube/key.js'
import type {
  Transport,
  TransportRequest,
  TransportResponse,
  TransportStream,
} from '../sdk/engine/transport/transport.js'
import type { HostFirst, UserServices } from './syncers/user-services.js'

type WrittenServices = Pick<UserServices, 'createOnHost' | 'updateOnHost'>

/**
 * vcluster's filter for the Services of users: a Service is written to the host cluster first, so that both
 * Services get the same cluster IP. Forwards every other request, and all requests if vcluster does not sync
 * Services (`pkg/server/filters/service.go` @ vcluster v0.36.1).
 */
export class ServiceFilter implements Transport {
  readonly #virtual: Transport
  readonly #services: () => WrittenServices | undefined

  constructor(virtual: Transport, services: () => WrittenServices | undefined) {
    this.#virtual = virtual
    this.#services = services
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    return (await this.#hostFirst(request)) ?? this.#virtual.request(request)
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const answer = await this.#hostFirst(request)
    return answer ? { ...answer, chunks: chunkOf(answer) } : this.#virtual.stream(request)
  }

  close(): Promise<void> {
    return this.#virtual.close()
  }

  async #hostFirst(request: TransportRequest): Promise<TransportResponse | undefined> {
    const write = writeOf(request)
    const services = this.#services()
    if (!write || !services) return undefined
    const { service, key, isNew } = write
    try {
      const first = isNew ? await services.createOnHost(service) : await services.updateOnHost(service, key)
      return first && (await this.#virtualNext(request, first))
    } catch (error) {
      return failure(error)
    }
  }

  async #virtualNext(request: TransportRequest, { service, undo }: HostFirst): Promise<TransportResponse> {
    const answer = await this.#virtual.request({ ...request, body: stringifyJson(service) })
    if (answer.status >= 400) await undo()
    return answer
  }
}

async function* chunkOf({ body }: TransportResponse): AsyncIterable<Uint8Array> {
  yield body
}

const path = /^\/api\/v1\/namespaces\/(?<namespace>[^/]+)\/services(?:\/(?<name>[^/]+))?$/

/** A request that creates or updates a Service; `undefined` for any other, and for a dry run. */
function writeOf({ method, path: requestPath, body }: TransportRequest) {
  const url = new URL(requestPath, 'https://localhost')
  const { namespace, name } = path.exec(url.pathname)?.groups ?? {}
  const isNew = method === 'POST' && name === undefined
  const isUpdate = method === 'PUT' && name !== undefined
  if (namespace === undefined || !(isNew || isUpdate) || url.searchParams.has('dryRun')) return undefined
  const service = serviceIn(body, namespace)
  const key: Key = { namespace, name: name ?? service?.metadata.name ?? '' }
  return service && key.name ? { service, key, isNew } : undefined
}

/** `undefined` for a body that is not JSON. The API server validates it. */
function serviceIn(body: TransportRequest['body'], namespace: string): Service | undefined {
  try {
    const service = parseJson(Buffer.from(body ?? '').toString()) as Service
    return { ...service, metadata: { ...service.metadata, namespace } }
  } catch {
    // Not JSON.
    return undefined
  }
}

function failure(error: unknown): TransportResponse {
  const message = error instanceof Error ? error.message : String(error)
  const unknown = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 }
  const status = error instanceof ApiError ? error.status : unknown
  return {
    status: status.code ?? 500,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(stringifyJson(status)),
  }
}
