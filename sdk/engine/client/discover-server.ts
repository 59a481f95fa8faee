import type { Transport } from '../transport/transport.js'
import { readAnswer } from './answer.js'

/** The maximum size of an answer to a question about the API, in bytes; those of large clusters have 1 MiB. */
export const maxDiscoveryBytes = 8 * 2 ** 20

interface CoreVersions {
  versions?: string[]
}

interface GroupList {
  groups?: { versions?: { groupVersion?: string }[] }[]
}

/**
 * All apiVersions that an API server serves, the core group first. Throws `ApiError` if it refuses to say.
 *
 * See https://kubernetes.io/docs/concepts/overview/kubernetes-api/#discovery-api
 */
export async function discoverApiVersions(transport: Transport): Promise<string[]> {
  const [core, others] = await Promise.all([
    read<CoreVersions>(transport, '/api', ({ versions }) => Array.isArray(versions)),
    read<GroupList>(transport, '/apis', ({ groups }) => Array.isArray(groups)),
  ])
  const groupVersions = (others.groups ?? []).flatMap(({ versions = [] }) => versions)
  return [...(core.versions ?? []), ...groupVersions.map(({ groupVersion = '' }) => groupVersion)]
}

/** The version of an API server, such as `v1.36.3`. Throws `ApiError` if it refuses to say. */
export async function discoverVersion(transport: Transport): Promise<string> {
  const isVersion = ({ gitVersion }: { gitVersion?: unknown }) => typeof gitVersion === 'string'
  const { gitVersion = '' } = await read<{ gitVersion?: string }>(transport, '/version', isVersion)
  return gitVersion
}

async function read<T extends object>(
  transport: Transport,
  path: string,
  isExpected: (answer: T) => boolean,
): Promise<T> {
  const headers = { accept: 'application/json' }
  const response = await transport.request({ method: 'GET', path, headers, maxBytes: maxDiscoveryBytes })
  const problem = (answer: object) => (isExpected(answer as T) ? undefined : 'which lacks what was asked for')
  return readAnswer(() => `GET ${path}`, response, problem) as T
}
