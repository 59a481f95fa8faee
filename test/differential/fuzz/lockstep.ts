import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'
import type { Answer, ClusterUnderTest } from '../../conformance/cluster-under-test.js'
import { differentialUserAgent } from '../client.js'
import { normaliseAnswers } from '../normalise.js'
import { makesNamespace } from './admission.js'
import {
  encodeRequest,
  type FuzzRequest,
  type FuzzSequence,
  knownOf,
  type ServerState,
} from './fuzz-request.js'
import type { Servers } from './servers.js'

/** Both servers' responses to one request, without parts that may differ. */
export interface ComparedResponses {
  readonly request: FuzzRequest
  readonly embedded: FuzzAnswer
  readonly real: FuzzAnswer
}

/** A response for comparison. */
export interface FuzzAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly warning: string
  /** JSON, or text if it is not JSON. */
  readonly body: unknown
}

/** The result of a sequence. */
export interface Run {
  /** The number of compared requests. */
  readonly compared: number
  readonly differences: readonly ComparedResponses[]
}

/**
 * A read of revision 0 is answered from the cache of a kube-apiserver, which may be behind its own writes for a moment.
 */
const isCachedRead = ({ method, query }: FuzzRequest) =>
  method === 'GET' && query.some(([name, value]) => name === 'resourceVersion' && value === '0')

/** How often a cached read that differs is repeated, and after how many milliseconds. */
const cacheLooks = 10
const cacheMs = 100

let namespaces = 0

/**
 * Sends each request of a sequence to both servers and compares the responses. After a difference in a stored
 * object all further responses would differ, so the sequence ends there.
 */
export async function playInLockstep(servers: Servers, sequence: FuzzSequence): Promise<Run> {
  const namespace = `fuzz-${++namespaces}`
  const clients = [new Client(servers.embedded, namespace), new Client(servers.real, namespace)] as const
  if (!makesNamespace(sequence)) await Promise.all(clients.map((client) => client.makeNamespace()))
  const differences: ComparedResponses[] = []
  let compared = 0
  for (const request of sequence) {
    const ask = () => Promise.all([clients[0].send(request), clients[1].send(request)])
    let [embedded, real] = await ask()
    for (
      let more = cacheLooks;
      more > 0 && isCachedRead(request) && !isDeepStrictEqual(embedded, real);
      more--
    ) {
      await setTimeout(cacheMs)
      ;[embedded, real] = await ask()
    }
    compared++
    if (isDeleteWithOptions(request)) {
      if (!isDeepStrictEqual(embedded, real)) differences.push({ request, embedded, real })
      break
    }
    if (isDeepStrictEqual(embedded, real)) continue
    differences.push({ request, embedded, real })
    if (mayHaveChanged(request) && (embedded.status < 300 || real.status < 300)) break
  }
  return { compared, differences }
}

/** The result of such a delete depends on controllers, which neither server has here. */
const isDeleteWithOptions = ({ method, query, body }: FuzzRequest) =>
  method === 'DELETE' && (body !== undefined || query.some(([name]) => name !== 'labelSelector'))

const mayHaveChanged = ({ method }: FuzzRequest) => method !== 'GET' && method !== 'HEAD'

/** Headers that are part of the API. The others depend on the connection, the time or the request. */
const comparedHeaders = [
  'content-type',
  'allow',
  'retry-after',
  'location',
  'accept-patch',
  'x-content-type-options',
]

class Client {
  readonly #cluster: ClusterUnderTest
  readonly #answers: unknown[] = []
  #known: ServerState

  constructor(cluster: ClusterUnderTest, namespace: string) {
    this.#cluster = cluster
    this.#known = { namespace, uid: '', revision: '' }
  }

  async makeNamespace(): Promise<void> {
    const { namespace } = this.#known
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
    const headers = { 'content-type': 'application/json', 'user-agent': differentialUserAgent }
    const { status, text } = await this.#cluster.request({
      method: 'POST',
      path: '/api/v1/namespaces',
      headers,
      body,
    })
    if (status !== 201) throw new Error(`namespace ${namespace} on ${this.#cluster.name}: ${status} ${text}`)
  }

  async send(request: FuzzRequest): Promise<FuzzAnswer> {
    const { method, path, headers, body } = encodeRequest(request, this.#known)
    const all = { 'user-agent': differentialUserAgent, ...headers }
    const answer = await this.#cluster.request({ method, path, headers: all, body })
    this.#known = knownOf(answer.body, this.#known)
    this.#answers.push(withoutOthers(comparable(answer), this.#known.namespace))
    return normaliseAnswers(this.#answers).at(-1) as FuzzAnswer
  }
}

function comparable({ status, headers, text, body }: Answer): FuzzAnswer {
  const isYaml = headers['content-type'] === 'application/yaml'
  const isJson = headers['content-type']?.startsWith('application/json') === true
  return {
    status,
    headers: Object.fromEntries(
      comparedHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
    ),
    warning: headers.warning ?? '',
    body: isJson && text !== '' ? withoutTemplates(body) : isYaml ? parse(text) : text,
  }
}

interface ListMember {
  readonly metadata?: { readonly namespace?: string }
  readonly object?: ListMember
}

/**
 * A list of all namespaces also has objects of the control plane and of earlier sequences, which differ
 * between the servers.
 */
function withoutOthers(answer: FuzzAnswer, namespace: string): FuzzAnswer {
  const { items, rows, ...rest } = Object(answer.body) as { items?: unknown; rows?: unknown }
  const isOwn = ({ metadata, object = {} }: ListMember) =>
    [namespace, undefined].includes((metadata ?? object.metadata)?.namespace)
  const own = (members: unknown[]) => members.filter((member) => isOwn(Object(member) as ListMember))
  if (Array.isArray(items)) return { ...answer, body: { ...rest, items: own(items) } }
  return Array.isArray(rows) ? { ...answer, body: { ...rest, rows: own(rows) } } : answer
}

/** A real server prints a changed immutable template or policy in Go's own types. */
const template =
  /Invalid value: \{"(?:[Ss]pec|metadata|ObjectMeta|[Nn]ame|generateName|labels|annotations|[Rr]ules)".*?\}: field is immutable/g

function withoutTemplates(body: object): unknown {
  const { message, details } = body as { message?: unknown; details?: { causes?: { message: string }[] } }
  if (typeof message !== 'string' || message.search(template) < 0) return body
  const shorten = (text: string) => text.replaceAll(template, 'Invalid value: <template>: field is immutable')
  const causes = details?.causes?.map((cause) => ({ ...cause, message: shorten(cause.message) }))
  return { ...body, message: shorten(message), details: { ...details, causes } }
}
