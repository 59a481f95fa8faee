import type { FaultedRequest } from '../../apiserver/faults/fault-match.js'
import type { OperatorPermission } from '../roles/operator-permissions.js'

/** The fields of a request that decide which permission it needs. */
export type RecordedRequest = Pick<
  FaultedRequest,
  'verb' | 'group' | 'resource' | 'subresource' | 'namespace' | 'name'
>

/** The object of a sample. */
export interface SampleName {
  namespace: string
  name: string
}

/** Verbs that RBAC cannot restrict to names: they concern many objects, or an object that does not exist yet. */
const nameless: ReadonlySet<string> = new Set(['create', 'list', 'watch', 'deletecollection'])

/**
 * The permissions of recorded requests that the declared ones do not cover. A namespace or a name that does not come
 * from a sample is taken to be the same in every cluster, so the permission is restricted to it.
 */
export function undeclaredPermissions(
  requests: readonly RecordedRequest[],
  declared: readonly OperatorPermission[],
  samples: readonly SampleName[],
): OperatorPermission[] {
  const permissionsById = new Map<string, OperatorPermission>()
  for (const request of requests) {
    if (declared.some((permission) => covers(permission, request))) continue
    const { verb, ...rest } = restrictionOf(request, samples)
    const id = JSON.stringify(rest)
    const verbs = [...new Set([...(permissionsById.get(id)?.verbs ?? []), verb])].sort()
    permissionsById.set(id, { ...rest, verbs, side: 'host', neededBy: ['a recorded request'] })
  }
  return [...permissionsById.values()]
}

const resourceOf = ({ resource, subresource }: RecordedRequest) =>
  subresource === '' ? resource : `${resource}/${subresource}`

function covers(permission: OperatorPermission, request: RecordedRequest): boolean {
  const { group, resource, verbs, names, namespace } = permission
  if (group !== request.group || resource !== resourceOf(request) || !verbs.includes(request.verb))
    return false
  if (namespace !== '' && namespace !== request.namespace) return false
  return names === undefined || names.includes(request.name)
}

function restrictionOf(request: RecordedRequest, samples: readonly SampleName[]) {
  const { verb, group, name } = request
  const namespace = samples.some((sample) => sample.namespace === request.namespace) ? '' : request.namespace
  const isFixed = name !== '' && !nameless.has(verb) && !samples.some((sample) => name.includes(sample.name))
  return { verb, group, resource: resourceOf(request), namespace, ...(isFixed && { names: [name] }) }
}
