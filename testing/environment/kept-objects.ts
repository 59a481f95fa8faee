import { stringifyJson } from '../../sdk/engine/kube/json.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { parseOrUndefined } from '../../sdk/engine/transport/refusal.js'
import type { Transport, TransportRequest, TransportResponse } from '../../sdk/engine/transport/transport.js'
import { ownNamespaces } from '../compare/cluster-state.js'
import { type RequestTarget, targetOf, targetPath } from '../requests/request-target.js'

/** The kinds whose objects are created once and kept, because their deletion takes long. */
const keptKinds: ReadonlySet<string> = new Set(['namespaces', 'customresourcedefinitions'])

/** Whether an object stays in the cluster after the run. */
export const isKept = ({ plural }: RequestTarget): boolean => keptKinds.has(plural)

/** Creates the objects that stay after a run. One that an earlier run created is replaced, as if it were new. */
export class KeptObjects {
  readonly #transport: Transport
  /** The paths of the objects that this run has created. */
  readonly #created = new Set<string>()

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Sends a write of this run. */
  async send(request: TransportRequest): Promise<TransportResponse> {
    const response = await this.#transport.request(request)
    const path = createdPath(request)
    if (path === undefined || this.#created.has(path)) return response
    if (response.status === 201) this.#created.add(path)
    if (response.status !== 409) return response
    this.#created.add(path)
    return (await this.#replace(path, request)) ?? response
  }

  /** Undefined if the object is being deleted, or if the API server does not permit the change. */
  async #replace(path: string, request: TransportRequest): Promise<TransportResponse | undefined> {
    const { status, body } = await this.#transport.request({ method: 'GET', path })
    const { metadata } = (parseOrUndefined(body) ?? {}) as Partial<KubeObject>
    if (status !== 200 || metadata === undefined || metadata.deletionTimestamp !== undefined) return undefined
    const { resourceVersion } = metadata
    const object = objectOf(request)
    const query = request.path.slice(request.path.split('?')[0]?.length)
    const response = await this.#transport.request({
      ...request,
      method: 'PUT',
      path: `${path}${query}`,
      body: stringifyJson({ ...object, metadata: { ...object.metadata, resourceVersion } }),
    })
    return response.status === 200 ? { ...response, status: 201 } : undefined
  }
}

/** The path of the object that a request creates; undefined for other requests, and for objects that do not stay. */
function createdPath(request: TransportRequest): string | undefined {
  const target = request.method === 'POST' ? targetOf(request.path) : undefined
  if (target?.name !== '' || !isKept(target)) return undefined
  const { name } = objectOf(request).metadata ?? {}
  const isOfCluster = target.plural === 'namespaces' && ownNamespaces.has(name ?? '')
  return name === undefined || isOfCluster ? undefined : targetPath({ ...target, name })
}

const objectOf = ({ body = '' }: TransportRequest) =>
  (parseOrUndefined(Buffer.from(body)) ?? {}) as Partial<KubeObject>
