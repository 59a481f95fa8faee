import { parseApiVersion } from '../../sdk/engine/kube/api-version.js'
import { parseJson } from '../../sdk/engine/kube/json.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'

interface GroupList {
  groups: { preferredVersion: { groupVersion: string } }[]
}

interface ResourceList {
  groupVersion: string
  resources: { name: string; kind: string; namespaced: boolean; verbs: string[] }[]
}

/**
 * The kinds that a cluster serves in the preferred version of their group and that can be watched.
 *
 * See https://kubernetes.io/docs/concepts/overview/kubernetes-api/#discovery-api
 */
export async function servedKinds(transport: Transport): Promise<Resource[]> {
  const { groups } = (await read(transport, '/apis')) as GroupList
  const paths = ['/api/v1', ...groups.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`)]
  const lists = await Promise.all(paths.map((path) => read(transport, path)))
  return lists.flatMap((list) => kindsOf(list as ResourceList))
}

function kindsOf({ groupVersion, resources }: ResourceList): Resource[] {
  const { group, version } = parseApiVersion(groupVersion) ?? { group: groupVersion, version: '' }
  return resources
    .filter(({ name, verbs }) => !name.includes('/') && verbs.includes('watch'))
    .map(({ name, kind, namespaced }) => ({ group, version, kind, plural: name, namespaced }))
}

async function read(transport: Transport, path: string): Promise<unknown> {
  const { status, body } = await transport.request({
    method: 'GET',
    path,
    headers: { accept: 'application/json' },
  })
  if (status !== 200) throw new Error(`the API server answered ${status} to GET ${path}`)
  return parseJson(body)
}
