import { isApiVersion, parseApiVersion } from '../kube/api-version.js'
import { isNotFound } from '../kube/error.js'
import { apiVersionOf, type Resource } from '../kube/resource.js'
import type { Transport } from '../transport/transport.js'
import { readAnswer } from './answer.js'
import { maxDiscoveryBytes } from './discover-server.js'

interface ResourceList {
  resources?: {
    name: string
    kind: string
    namespaced: boolean
    singularName?: string
    shortNames?: string[]
  }[]
}

/**
 * The kinds that an API server serves under an apiVersion; none if it knows no such group or version, and for
 * a text that is not an apiVersion. Throws `ApiError` for any other refusal.
 *
 * See https://kubernetes.io/docs/concepts/overview/kubernetes-api/#discovery-api
 */
export async function discoverKinds(transport: Transport, apiVersion: string): Promise<Resource[]> {
  const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: '' }
  const { resources = [] } = await requestResources(transport, apiVersion)
  // A name with a slash is a subresource.
  const mainResources = resources.filter(({ name }) => !name.includes('/'))
  return mainResources.map(({ name: plural, kind, namespaced }) => ({
    group,
    version,
    kind,
    plural,
    namespaced,
  }))
}

/**
 * The other names of a resource that users may type: the singular and short names (`cm`); none if it is not
 * served. Throws `ApiError` for any other refusal.
 */
export async function discoverOtherNames(transport: Transport, resource: Resource): Promise<string[]> {
  const { resources = [] } = await requestResources(transport, apiVersionOf(resource))
  const { singularName = '', shortNames = [] } = resources.find(({ name }) => name === resource.plural) ?? {}
  return [singularName, ...shortNames].filter((name) => name !== '')
}

/**
 * Why an answer is not a list of resources; `undefined` if it is. Without this check, a broken answer would look like a
 * server that serves no kind.
 */
function missingListProblem(answer: ResourceList): string | undefined {
  return Array.isArray(answer.resources) ? undefined : 'which is not a list of resources'
}

async function requestResources(transport: Transport, apiVersion: string): Promise<ResourceList> {
  // An apiVersion from a template or from a field that users write must not become a watch or another path.
  if (!isApiVersion(apiVersion)) return {}
  const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  const headers = { accept: 'application/json' }
  try {
    const response = await transport.request({ method: 'GET', path, headers, maxBytes: maxDiscoveryBytes })
    return readAnswer(() => `GET ${path}`, response, missingListProblem)
  } catch (error) {
    if (isNotFound(error)) return {}
    throw error
  }
}
