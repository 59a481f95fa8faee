import { isNotFound } from '../kube/error.js'
import type { Resource } from '../kube/resource.js'
import type { Transport } from '../transport/transport.js'
import { readAnswer } from './answer.js'

interface ResourceList {
  resources?: { name: string; kind: string; namespaced: boolean }[]
}

/**
 * The kinds that an API server serves under an apiVersion; none where it knows no such group or version. Throws
 * `ApiError` for any other refusal.
 *
 * See https://kubernetes.io/docs/concepts/overview/kubernetes-api/#discovery-api
 */
export async function discoverKinds(transport: Transport, apiVersion: string): Promise<Resource[]> {
  const [version = '', group = ''] = apiVersion.split('/').reverse()
  const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const { resources = [] } = await listed(transport, path)
  const whole = resources.filter(({ name }) => !name.includes('/'))
  return whole.map(({ name: plural, kind, namespaced }) => ({ group, version, kind, plural, namespaced }))
}

async function listed(transport: Transport, path: string): Promise<ResourceList> {
  const headers = { accept: 'application/json' }
  try {
    return readAnswer(`GET ${path}`, await transport.request({ method: 'GET', path, headers }))
  } catch (error) {
    if (isNotFound(error)) return {}
    throw error
  }
}
