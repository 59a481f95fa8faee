import { stringifyJson } from '../../sdk/engine/kube/json.js'
import { until } from '../until.js'
import type { Answer, Body, ClusterUnderTest, EventStream } from './cluster-under-test.js'
import { type Expect, expect } from './expect.js'
import { caseResources } from './resources.js'

/** The type of a patch; it determines the media type. */
export type PatchType = 'json' | 'merge' | 'strategic' | 'apply'

/** How a call is made. */
export interface CallOptions {
  /** Additional headers, lower case; default none. */
  readonly headers?: Readonly<Record<string, string>>
  /** Default true; with false the call has no credentials. */
  readonly asAdministrator?: boolean
}

/** A body: text and bytes are sent unchanged, anything else as JSON. */
export type Payload = string | Uint8Array | object

/**
 * A cluster, a namespace that only this case uses, and short ways to call it. A reference is
 * `plural/name/subresource?query` with a plural of {@link caseResources}, or a path that begins with `/`.
 */
export interface CaseClient {
  readonly cluster: ClusterUnderTest
  readonly namespace: string
  readonly expect: Expect
  get(reference: string, options?: CallOptions): Promise<Answer>
  /** Fills in `apiVersion` and `kind` of an object if missing. */
  post(reference: string, body: Payload, options?: CallOptions): Promise<Answer>
  put(reference: string, body: Payload, options?: CallOptions): Promise<Answer>
  patch(reference: string, type: PatchType, body: Payload, options?: CallOptions): Promise<Answer>
  delete(reference: string, body?: Payload, options?: CallOptions): Promise<Answer>
  /** Creates an object that the case needs; rejects if that fails. */
  make(reference: string, body: object): Promise<Body>
  /** Reads an object that must exist. */
  read(reference: string): Promise<Body>
  /** The path of a reference. */
  path(reference: string): string
  /** Opens a watch, without `watch=true` in the reference; it is closed when the case ends. */
  watch(reference: string, options?: CallOptions): Promise<EventStream>
  /** Repeats the check until it holds; rejects after two minutes. */
  until(what: string, holds: () => Promise<boolean>): Promise<void>
}

const mediaTypes: Readonly<Record<PatchType, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
}
const jsonType = 'application/json'

interface SentCall extends CallOptions {
  readonly method: string
  readonly reference: string
  readonly body?: Payload | undefined
  readonly type?: string
}

/** Prepares one case. Call `end` at its end. */
export function openCaseClient(
  cluster: ClusterUnderTest,
  namespace: string,
): { client: CaseClient; end: () => void } {
  const streams: EventStream[] = []
  const path = (reference: string) => pathOf(reference, namespace)
  const send = ({ method, reference, body, type = jsonType, headers, asAdministrator }: SentCall) =>
    cluster.request({
      method,
      path: path(reference),
      headers: { ...(body === undefined ? {} : { 'content-type': type }), ...headers },
      body: body === undefined ? undefined : encoded(body),
      asAdministrator,
    })
  const client: CaseClient = {
    cluster,
    namespace,
    expect,
    path,
    get: (reference, options) => send({ method: 'GET', reference, ...options }),
    post: (reference, body, options) =>
      send({ method: 'POST', reference, body: typed(reference, body), ...options }),
    put: (reference, body, options) =>
      send({ method: 'PUT', reference, body: typed(reference, body), ...options }),
    patch: (reference, type, body, options) =>
      send({ method: 'PATCH', reference, body, type: mediaTypes[type], ...options }),
    delete: (reference, body, options) => send({ method: 'DELETE', reference, body, ...options }),
    make: async (reference, body) => bodyOf(await client.post(reference, body), 201),
    read: async (reference) => bodyOf(await client.get(reference), 200),
    watch: async (reference, options) => {
      const mark = reference.includes('?') ? '&' : '?'
      const stream = await cluster.watch(`${path(reference)}${mark}watch=true`, options?.headers)
      streams.push(stream)
      return stream
    },
    until: (what, holds) => until(holds, { what, everyMs: 20 }),
  }
  const end = () => {
    for (const stream of streams) stream.close()
  }
  return { client, end }
}

function pathOf(reference: string, namespace: string): string {
  if (reference.startsWith('/')) return reference
  const resource = resourceOf(reference)
  if (resource === undefined) throw new Error(`"${reference}" does not start with a resource of resources.ts`)
  const root = resource.apiVersion.includes('/')
    ? `/apis/${resource.apiVersion}`
    : `/api/${resource.apiVersion}`
  return resource.namespaced ? `${root}/namespaces/${namespace}/${reference}` : `${root}/${reference}`
}

function resourceOf(reference: string) {
  return caseResources[/^[a-z]+/.exec(reference)?.[0] ?? '']
}

/** Adds `apiVersion` and `kind` to an object of the resource. */
function typed(reference: string, body: Payload): Payload {
  const resource = resourceOf(reference)
  if (resource === undefined || typeof body === 'string' || body instanceof Uint8Array) return body
  return { apiVersion: resource.apiVersion, kind: resource.kind, ...body }
}

function encoded(body: Payload): string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array ? body : stringifyJson(body)
}

function bodyOf(answer: Answer, status: number): Body {
  expect.answer(answer, status)
  return answer.body
}
