/**
 * Asks an API server whether it still has the history that was watched. All reads are quorum reads, or reads of an
 * exact revision, so that an API server that lags behind its etcd is not mistaken for a restored one.
 *
 * See https://kubernetes.io/docs/reference/using-api/api-concepts/#resourceversion-parameter
 */
import { ApiError, isGone } from '../kube/error.js'
import { parseJson } from '../kube/json.js'
import type { KubeList } from '../kube/object.js'
import { formatResource, type Resource } from '../kube/resource.js'
import { isEarlier } from '../kube/resource-version.js'
import { type Clock, sleep } from '../time/clock.js'
import { apiErrorOf } from '../transport/refusal.js'
import type { Transport } from '../transport/transport.js'
import { scopePath } from './watch-scope.js'
import { isWitnessed, type SeenObject, type Witness } from './witness.js'

/** A question to the API server. */
export interface Question {
  /** The kind to ask for, and the highest resourceVersion of this kind that was seen. */
  resource: Resource
  namespace: string | undefined
  latest: string | undefined
  /** The last change of that kind; undefined if none was seen. */
  witness: Witness | undefined
}

/**
 * The API server's answer: `same` if it has the last change that was seen, `restored` if it certainly does not,
 * `unknown` if it has no record of that time.
 */
export interface HistoryAnswer {
  readonly history: 'same' | 'restored' | 'unknown'
  /** The cluster's revision; undefined if the API server refused to say. */
  readonly revision: string | undefined
}

/** The API server to ask. */
export interface AskOptions {
  transport: Transport
  signal: AbortSignal
  clock: Clock
  /** Whether to send only the first request, which is usually enough; default false: all necessary requests. */
  brief?: boolean
}

/** The answer to one list: the revision of the cluster, and the first object of the list. */
interface Reading {
  readonly revision: string | undefined
  readonly object: SeenObject | undefined
}

/** The requested media types. Only metadata is compared, so that data of Secrets is not read. */
const acceptedTypes = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1, application/json'
const requestTimeoutMs = 15_000
/** How long a server may lag behind a store that is replicated by polling, such as kine's, in milliseconds. */
const lagMs = 2000

/**
 * Asks the API server whether it still has the last change that was seen (the witness). `RevisionHistory` calls it
 * after a doubt, and once a minute. Rejects if the API server cannot be reached, or is too busy to answer.
 */
export async function askHistory(question: Question, options: AskOptions): Promise<HistoryAnswer> {
  const { witness, latest } = question
  try {
    const { revision, object } = await readSettled(question, options)
    if (isEarlier(revision, latest)) return { history: 'restored', revision }
    if (!witness?.provable) return { history: 'unknown', revision }
    const history =
      conclude(witness, object) ?? (options.brief ? 'unknown' : await decideByPast(witness, options))
    return { history, revision }
  } catch (error) {
    if (isSilentOnThis(error)) return { history: 'unknown', revision: undefined }
    throw error
  }
}

/**
 * Reads the present state. Reads again after a moment if the revision is too low, unless the object itself proves a
 * restore.
 */
async function readSettled(question: Question, options: AskOptions): Promise<Reading> {
  const { witness, latest } = question
  const reading = await read(question, options)
  const isProven = witness !== undefined && conclude(witness, reading.object) === 'restored'
  if (isProven || !isEarlier(reading.revision, latest)) return reading
  await sleep(options.clock, lagMs, options.signal)
  return read(question, options)
}

/** The conclusion from the object's present state; undefined if it proves nothing. */
function conclude(witness: Witness, current: SeenObject | undefined): HistoryAnswer['history'] | undefined {
  if (witness.deleted) return current?.uid === witness.uid ? 'restored' : undefined
  if (isWitnessed(witness, current)) return 'same'
  const isSameObject = current?.uid === witness.uid
  const isAsOld = !isEarlier(witness.resourceVersion, current?.resourceVersion)
  return isSameObject && isAsOld ? 'restored' : undefined
}

/** Decides by the object's state at the time of the change, for an object that has changed since, or is gone. */
async function decideByPast(witness: Witness, options: AskOptions): Promise<HistoryAnswer['history']> {
  const { resourceVersion, uid } = witness
  const atChange = await readAt(witness, resourceVersion, options)
  if (atChange === undefined) return 'unknown'
  if (!witness.deleted) return isWitnessed(witness, atChange.object) ? 'same' : 'restored'
  const beforeChange = await readAt(witness, String(BigInt(resourceVersion) - 1n), options)
  if (beforeChange === undefined) return 'unknown'
  return atChange.object?.uid !== uid && beforeChange.object?.uid === uid ? 'same' : 'restored'
}

/**
 * Reads the state at a revision. Undefined if the API server has forgotten that revision, or does not support reads of
 * exact revisions.
 */
async function readAt(
  witness: Witness,
  resourceVersion: string,
  options: AskOptions,
): Promise<Reading | undefined> {
  const exact = { resourceVersion, resourceVersionMatch: 'Exact' }
  const reading = await read({ ...witness, witness }, options, exact).catch((error: unknown) => {
    if (!isGone(error)) throw error
  })
  return reading?.revision === resourceVersion ? reading : undefined
}

/** Reads only the witness, which etcd finds by its key; without a witness, one object of the kind. */
async function read(
  { resource, namespace, witness }: Pick<Question, 'resource' | 'namespace' | 'witness'>,
  { transport, signal }: AskOptions,
  parameters: Record<string, string> = {},
): Promise<Reading> {
  const scope = {
    resource,
    ...(namespace && { namespace }),
    ...(witness && { fieldSelector: `metadata.name=${witness.name}` }),
  }
  const answer = await transport.request({
    method: 'GET',
    path: scopePath(scope, { limit: 1, ...parameters }),
    headers: { accept: acceptedTypes },
    signal,
    timeoutMs: requestTimeoutMs,
  })
  if (answer.status !== 200) throw apiErrorOf(`LIST ${formatResource(resource)}`, answer)
  const { metadata, items } = parseJson(answer.body) as KubeList
  return { revision: metadata.resourceVersion, object: items?.[0]?.metadata }
}

/**
 * Whether the API server is up, but does not answer this request: a permission was removed, or the kind is no longer
 * served.
 */
function isSilentOnThis(error: unknown): boolean {
  return error instanceof ApiError && error.code < 500 && error.code !== 429 && error.code !== 401
}
