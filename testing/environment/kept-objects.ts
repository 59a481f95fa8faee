import { stringifyJson } from '../../sdk/engine/kube/json.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { parseOrUndefined } from '../../sdk/engine/transport/refusal.js'
import type { Transport, TransportRequest, TransportResponse } from '../../sdk/engine/transport/transport.js'
import { type RequestTarget, targetOf, targetPath } from '../requests/request-target.js'

/** The kinds whose objects are created once and kept, because their deletion takes long. */
const keptKinds: ReadonlySet<string> = new Set(['namespaces', 'customresourcedefinitions'])

/** Whether an object stays in the cluster after the run. */
export const isKept = ({ plural }: RequestTarget): boolean => keptKinds.has(plural)

/** The UIDs of the objects that the runs of an environment created, and that stay. */
export type KeptUids = Set<string>

/**
 * Creates the objects that stay after a run. One that an earlier run of the environment created is replaced, as if it
 * were new; those of others are not touched.
 */
export class KeptObjects {
  readonly #transport: Transport
  readonly #ofRuns: KeptUids
  /** The paths of the objects that this run has created. */
  readonly #created = new Set<string>()

  constructor(transport: Transport, ofRuns: KeptUids) {
    this.#transport = transport
    this.#ofRuns = ofRuns
  }

  /** Sends a write of this run. */
  async send(request: TransportRequest): Promise<TransportResponse> {
    const response = await this.#transport.request(request)
    const path = createdPath(request)
    if (path === undefined || this.#created.has(path)) return response
    if (response.status === 201) {
      this.#created.add(path)
      const { uid } = metadataOf(response) ?? {}
      if (uid) this.#ofRuns.add(uid)
    }
    if (response.status !== 409) return response
    this.#created.add(path)
    return (await this.#replace(path, request)) ?? response
  }

  /**
   * Undefined if no run created the object, if it is being deleted, or if the API server does not permit the change.
   */
  async #replace(path: string, request: TransportRequest): Promise<TransportResponse | undefined> {
    const {
      uid = '',
      resourceVersion,
      deletionTimestamp,
    } = metadataOf(await this.#transport.request({ method: 'GET', path })) ?? {}
    if (!this.#ofRuns.has(uid) || deletionTimestamp !== undefined) return undefined
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
  return name === undefined ? undefined : targetPath({ ...target, name })
}

const metadataOf = ({ body }: TransportResponse) =>
  (parseOrUndefined(body) as Partial<KubeObject> | undefined)?.metadata

const objectOf = ({ body = '' }: TransportRequest) =>
  (parseOrUndefined(Buffer.from(body)) ?? {}) as Partial<KubeObject>
