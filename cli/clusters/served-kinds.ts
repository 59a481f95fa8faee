import uniqBy from 'lodash/uniqBy.js'
import { parseApiVersion } from '../../sdk/engine/kube/api-version.js'
import { parseJson } from '../../sdk/engine/kube/json.js'
import { formatResource, type Resource } from '../../sdk/engine/kube/resource.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'

interface GroupList {
  groups: { preferredVersion: GroupVersion; versions: GroupVersion[] }[]
}

interface GroupVersion {
  groupVersion: string
}

interface ResourceList {
  groupVersion: string
  resources: { name: string; kind: string; namespaced: boolean; verbs: string[] }[]
}

/**
 * The kinds that a cluster serves and that can be watched: each once, in the preferred version of its group, or in
 * another one if that lacks the kind.
 *
 * See https://kubernetes.io/docs/concepts/overview/kubernetes-api/#discovery-api
 */
export async function servedKinds(transport: Transport): Promise<Resource[]> {
  return uniqBy(await servedVersions(transport), formatResource)
}

/** The kinds that a cluster serves and that can be watched, in each version; the preferred one of a group is first. */
export async function servedVersions(transport: Transport): Promise<Resource[]> {
  const { groups } = (await read(transport, '/apis')) as GroupList
  const versions = groups.flatMap(({ preferredVersion, versions: all }) =>
    uniqBy([preferredVersion, ...all], 'groupVersion'),
  )
  const paths = ['/api/v1', ...versions.map(({ groupVersion }) => `/apis/${groupVersion}`)]
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
