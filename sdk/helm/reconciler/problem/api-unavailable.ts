import type { Cluster } from '../../../engine/cluster/cluster.js'
import { groupOfApiVersion, parseApiVersion } from '../../../engine/kube/api-version.js'
import { ApiError } from '../../../engine/kube/error.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { RetryLaterError } from '../../../engine/kube/retry-later-error.js'
import { UnexpectedAnswerError } from '../../../engine/transport/unexpected-answer.js'

/**
 * The API of a kind does not answer, although the API server lists it: the server behind its APIService does not run. The release that
 * needs the kind waits for it.
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
 * The kinds of an apiVersion. Rejects with {@link ApiUnavailableError} if the server of the API fails. Other errors, such as that of a lost
 * connection, stay as they are.
 */
export async function askServed(
  cluster: Pick<Cluster, 'served'>,
  apiVersion: string,
  kind?: string,
): Promise<readonly Resource[]> {
  return cluster.served(apiVersion).catch((error: unknown) => {
    throw isFailure(error) ? new ApiUnavailableError(apiVersion, kind, error) : error
  })
}

/** An answer that is not about the caller, who may be unknown or too fast. */
const isFailure = (error: unknown): error is Error =>
  error instanceof UnexpectedAnswerError || (error instanceof ApiError && ![401, 429].includes(error.code))

const ownGroups: ReadonlySet<string> = new Set(
  [
    ...['admissionregistration', 'apiextensions', 'apiregistration', 'authentication', 'authorization'],
    ...['certificates', 'coordination', 'discovery', 'events', 'flowcontrol.apiserver', 'internal.apiserver'],
    ...['networking', 'node', 'rbac.authorization', 'resource', 'scheduling', 'storage', 'storagemigration'],
  ].map((name) => `${name}.k8s.io`),
)

/** Whether the API server of Kubernetes serves an apiVersion itself. If that does not answer, nothing is known about the cluster. */
export function isServedByKubernetes(apiVersion: string): boolean {
  const group = groupOfApiVersion(apiVersion)
  return !group.includes('.') || ownGroups.has(group)
}
