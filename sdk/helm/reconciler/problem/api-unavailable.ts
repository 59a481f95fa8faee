import type { Cluster } from '../../../engine/cluster/cluster.js'
import { groupOfApiVersion, parseApiVersion } from '../../../engine/kube/api-version.js'
import { ApiError } from '../../../engine/kube/error.js'
import { apiVersionOf, type Resource } from '../../../engine/kube/resource.js'
import { RetryLaterError } from '../../../engine/kube/retry-later-error.js'
import { UnexpectedAnswerError } from '../../../engine/transport/unexpected-answer.js'

/**
 * The API of a kind does not answer, although the API server lists it: the server behind its APIService does not run.
 * The release that needs the kind waits for it.
 */
export class ApiUnavailableError extends RetryLaterError {
  override readonly name = 'ApiUnavailableError'
  override readonly retryInMs = 10_000

  /** `kind` is the kind that is needed; undefined if it is not known. */
  constructor(apiVersion: string, kind: string | undefined, cause: Error) {
    const { group, version } = parseApiVersion(apiVersion) ?? { group: apiVersion, version: '' }
    const needed = kind === undefined ? '' : `, and the release needs ${kind} of it`
    super(
      `the API ${apiVersion} does not answer${needed}; see the APIService ${version}.${group} and the Pods behind it: ${cause.message}`,
      { cause },
    )
  }
}

/**
 * The kinds of an apiVersion. Rejects with {@link ApiUnavailableError} if the server of the API fails. Other errors,
 * such as that of a lost connection, stay as they are.
 */
export async function askServed(
  cluster: Pick<Cluster, 'served'>,
  apiVersion: string,
  kind?: string,
): Promise<readonly Resource[]> {
  return answerInTime(apiVersion, cluster.served(apiVersion)).catch((error: unknown) => {
    throw isFailure(error) ? new ApiUnavailableError(apiVersion, kind, error) : error
  })
}

/** The time limit for a read from the server of an aggregated API, in milliseconds. */
export const answerMs = 10_000

/** Limits the time of an answer: a server that accepts connections but never answers would hold up all releases. */
async function answerInTime<T>(apiVersion: string, answer: Promise<T>): Promise<T> {
  if (isServedByKubernetes(apiVersion)) return answer
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LateAnswerError(`no answer within ${answerMs} ms`)), answerMs)
  })
  return Promise.race([answer, timeout]).finally(() => clearTimeout(timer))
}

class LateAnswerError extends Error {
  override readonly name = 'LateAnswerError'
}

/** Names the API in the error about a read of one of its objects that had no answer in time. */
export function asUnavailable({ kind, ...resource }: Resource, error: unknown): unknown {
  const isLate = error instanceof Error && error.name === 'TimeoutError'
  const apiVersion = apiVersionOf(resource)
  return isLate && !isServedByKubernetes(apiVersion)
    ? new ApiUnavailableError(apiVersion, kind, error)
    : error
}

/** Whether the server of an API failed. 401 and 429 are about the caller. */
const isFailure = (error: unknown): error is Error =>
  error instanceof UnexpectedAnswerError ||
  error instanceof LateAnswerError ||
  (error instanceof ApiError && ![401, 429].includes(error.code))

const ownGroups: ReadonlySet<string> = new Set(
  [
    ...['admissionregistration', 'apiextensions', 'apiregistration', 'authentication', 'authorization'],
    ...['certificates', 'coordination', 'discovery', 'events', 'flowcontrol.apiserver', 'internal.apiserver'],
    ...['networking', 'node', 'rbac.authorization', 'resource', 'scheduling', 'storage', 'storagemigration'],
  ].map((name) => `${name}.k8s.io`),
)

/** Whether the kube-apiserver itself serves an apiVersion, and not an aggregated API server. */
export function isServedByKubernetes(apiVersion: string): boolean {
  const group = groupOfApiVersion(apiVersion)
  return !group.includes('.') || ownGroups.has(group)
}
