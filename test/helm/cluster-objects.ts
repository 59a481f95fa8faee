/** All objects of a cluster but those that controllers make of others, for a comparison of two installations. */
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'

/** An object as it is compared, and its path in the API. */
export interface ClusterObject {
  readonly path: string
  readonly kind: string
  readonly isGoing: boolean
  readonly object: object
}

/** Objects by kind, namespace and name. */
export type ClusterObjects = ReadonlyMap<string, ClusterObject>

interface ServedResource {
  readonly name: string
  readonly kind: string
  readonly verbs: readonly string[]
}

/** Kinds that controllers make and remove, and the records of releases. */
const left = new Set([
  ...['Pod', 'ReplicaSet', 'ControllerRevision', 'Endpoints', 'EndpointSlice', 'Event', 'Lease'],
  ...['ComponentStatus', 'FlowSchema', 'PriorityLevelConfiguration', 'IPAddress', 'CSINode', 'Node'],
])
/** The records and the seeds of releases, and the APIServices that follow the definitions. */
const isLeftOut = ({ name = '', labels }: KubeObject['metadata']) =>
  name.startsWith('sh.helm.') || labels?.['kube-aggregator.kubernetes.io/automanaged'] !== undefined

/** Reads all objects of a cluster. An API without a backend is left out. */
export async function readCluster(transport: Transport): Promise<ClusterObjects> {
  const get = async (path: string) => {
    const { status, body } = await transport.request({ method: 'GET', path })
    return status === 200 ? JSON.parse(Buffer.from(body).toString()) : undefined
  }
  const { groups } = await get('/apis')
  const versions = (groups as { preferredVersion: { groupVersion: string } }[]).map(
    ({ preferredVersion }) => preferredVersion.groupVersion,
  )
  const found = new Map<string, ClusterObject>()
  const addAll = async (prefix: string, { name, kind }: ServedResource) => {
    const items: KubeObject[] = (await get(`${prefix}/${name}`))?.items ?? []
    for (const item of items) {
      const { namespace, name: own } = item.metadata
      const path = `${prefix}${namespace ? `/namespaces/${namespace}` : ''}/${name}/${own}`
      if (!isLeftOut(item.metadata))
        found.set(idOf(kind, item), {
          path,
          kind,
          isGoing: item.metadata.deletionTimestamp !== undefined,
          object: comparable(item),
        })
    }
  }
  const addVersion = async (prefix: string) => {
    const resources: ServedResource[] = (await get(prefix))?.resources ?? []
    const listed = resources.filter(
      ({ name, verbs, kind }) => verbs.includes('list') && !name.includes('/') && !left.has(kind),
    )
    await Promise.all(listed.map((resource) => addAll(prefix, resource)))
  }
  await Promise.all(['/api/v1', ...versions.map((version) => `/apis/${version}`)].map(addVersion))
  return found
}

const idOf = (kind: string, { metadata: { namespace, name } }: KubeObject) =>
  `${kind} ${namespace ? `${namespace}/` : ''}${name}`

/** Fields that differ with each object, are written by controllers, or mark our own objects. */
const ownFields =
  /^(deployment\.kubernetes\.io\/|deprecated\.daemonset\.|operator-sdk\/|vcluster-plugin-sdk\/)|(^|\.)(controller-uid|batch\.kubernetes\.io\/controller-uid)$/

/** An object without what differs between two that are made alike. */
export function comparable({ apiVersion: _, kind: __, metadata, ...object }: KubeObject): object {
  const { labels, annotations, name, namespace } = metadata
  const { status: ___, spec, ...rest } = object as { status?: unknown; spec?: object }
  return {
    metadata: { name, namespace, labels: ownLess(labels), annotations: ownLess(annotations) },
    ...(spec && { spec: ownLess(withoutAssigned(spec)) }),
    ...rest,
  }
}

/** Addresses and ports that a cluster assigns. */
function withoutAssigned(spec: object): object {
  const {
    clusterIP: _,
    clusterIPs: __,
    healthCheckNodePort: ___,
    ports,
    ...rest
  } = spec as Record<string, unknown>
  if (!Array.isArray(ports)) return { ...rest, ...(ports !== undefined && { ports }) }
  return { ...rest, ports: ports.map(({ nodePort: _, ...port }: { nodePort?: number }) => port) }
}

/** A value without the fields at any depth that name themselves our own. */
function ownLess(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ownLess)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !ownFields.test(name))
      .map(([name, one]) => [name, ownLess(one)]),
  )
}

/** The objects that are not in `before`, or not the same there. */
export const newSince = (before: ClusterObjects, now: ClusterObjects): ClusterObjects =>
  new Map([...now].filter(([id]) => !before.has(id)))

/** Names the fields in which two sets of objects differ, such as `Secret ns/rel: data.password`. */
export function differences(a: ClusterObjects, b: ClusterObjects): string[] {
  const ids = new Set([...a.keys(), ...b.keys()])
  return [...ids].sort().flatMap((id) => {
    const [one, other] = [a.get(id), b.get(id)]
    if (!one) return [`${id}: missing`]
    if (!other) return [`${id}: is too many`]
    return pathsOf(one.object, other.object).map((path) => `${id}: ${path}`)
  })
}

function pathsOf(a: unknown, b: unknown, path = ''): string[] {
  if (Object.is(a, b)) return []
  const isBranch = (value: unknown) => typeof value === 'object' && value !== null
  if (!isBranch(a) || !isBranch(b)) return [path]
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>]
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].flatMap((name) => pathsOf(one[name], other[name], path === '' ? name : `${path}.${name}`))
}
