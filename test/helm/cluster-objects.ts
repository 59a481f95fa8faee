/** The objects of a cluster but those that controllers make of others, for a comparison of two installations. */
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'

/** An object as it is compared, and its path in the API. */
export interface ClusterObject {
  readonly path: string
  readonly kind: string
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

/** An object of a list without its fields, and its path in the API. */
interface ListedObject {
  readonly path: string
  readonly kind: string
  readonly metadata: KubeObject['metadata']
}

/** Asks for lists without the fields of the objects, of which definitions have up to a megabyte. */
const metadataOnly = { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' }

/**
 * Reads the objects of a cluster that are made after it was opened. A whole object is read only if it is new, or has
 * another revision than the last time.
 */
export class ClusterReader {
  readonly #transport: Transport
  readonly #before: ReadonlyMap<string, ListedObject>
  readonly #read = new Map<string, ClusterObject>()

  private constructor(transport: Transport, before: ReadonlyMap<string, ListedObject>) {
    this.#transport = transport
    this.#before = before
  }

  /** Notes the objects that exist now. */
  static async open(transport: Transport): Promise<ClusterReader> {
    return new ClusterReader(transport, await listCluster(transport))
  }

  /** Whether an object existed when the reader was opened, such as `ConfigMap ns/name`. */
  existedBefore(id: string): boolean {
    return this.#before.has(id)
  }

  /** The objects that were made since. */
  async readMade(): Promise<ClusterObjects> {
    const objects = await Promise.all(
      (await this.#listMade()).map(async ([id, listed]) => [id, await this.#readObject(listed)] as const),
    )
    return new Map(objects.flatMap(([id, object]) => (object ? [[id, object] as const] : [])))
  }

  /** The names of the objects that were made since. */
  async namesMade(): Promise<string[]> {
    return (await this.#listMade()).map(([id]) => id)
  }

  /** Whether an object that was made since is being deleted. */
  async hasDeletions(): Promise<boolean> {
    return (await this.#listMade()).some(([, { metadata }]) => metadata.deletionTimestamp !== undefined)
  }

  async #listMade(): Promise<[string, ListedObject][]> {
    return [...(await listCluster(this.#transport))].filter(([id]) => !this.#before.has(id))
  }

  /** The object; undefined if it was deleted after the list. */
  async #readObject({ path, kind, metadata }: ListedObject): Promise<ClusterObject | undefined> {
    const revision = `${metadata.uid} ${metadata.resourceVersion}`
    const known = this.#read.get(revision)
    if (known) return known
    const object = await getJson<KubeObject>(this.#transport, path)
    if (!object) return undefined
    const read = { path, kind, object: comparable(object) }
    this.#read.set(revision, read)
    return read
  }
}

/** All objects of a cluster by kind, namespace and name. An API without a backend is left out. */
async function listCluster(transport: Transport): Promise<Map<string, ListedObject>> {
  const { groups = [] } =
    (await getJson<{ groups: { preferredVersion: { groupVersion: string } }[] }>(transport, '/apis')) ?? {}
  const prefixes = groups.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`)
  const lists = await Promise.all(['/api/v1', ...prefixes].map((prefix) => listVersion(transport, prefix)))
  return new Map(lists.flat(2))
}

type Entry = [string, ListedObject]

async function listVersion(transport: Transport, prefix: string): Promise<Entry[][]> {
  const { resources = [] } = (await getJson<{ resources: ServedResource[] }>(transport, prefix)) ?? {}
  const wanted = resources.filter(
    ({ name, verbs, kind }) => verbs.includes('list') && !name.includes('/') && !left.has(kind),
  )
  return Promise.all(wanted.map((resource) => listResource(transport, prefix, resource)))
}

async function listResource(
  transport: Transport,
  prefix: string,
  { name: plural, kind }: ServedResource,
): Promise<Entry[]> {
  const list = await getJson<{ items: KubeObject[] }>(transport, `${prefix}/${plural}`, metadataOnly)
  return (list?.items ?? []).flatMap(({ metadata }): Entry[] => {
    if (isLeftOut(metadata)) return []
    const { namespace, name } = metadata
    const path = `${prefix}${namespace ? `/namespaces/${namespace}` : ''}/${plural}/${name}`
    return [[`${kind} ${namespace ? `${namespace}/` : ''}${name}`, { path, kind, metadata }]]
  })
}

/** The answer to a GET; undefined if it is not 200. */
async function getJson<T>(
  transport: Transport,
  path: string,
  headers: Record<string, string> = {},
): Promise<T | undefined> {
  const { status, body } = await transport.request({ method: 'GET', path, headers })
  return status === 200 ? JSON.parse(Buffer.from(body).toString()) : undefined
}

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

/**
 * Names the fields in which two sets of objects differ, such as `Secret ns/rel: data.password`. An object that its own
 * controller deletes after a time may be in one of them only.
 */
export function differences(a: ClusterObjects, b: ClusterObjects): string[] {
  const ids = new Set([...a.keys(), ...b.keys()])
  return [...ids].sort().flatMap((id) => {
    const [one, other] = [a.get(id), b.get(id)]
    if (one && other) return pathsOf(one.object, other.object).map((path) => `${id}: ${path}`)
    if (isShortLived(one ?? other)) return []
    return [one ? `${id}: is too many` : `${id}: missing`]
  })
}

/** Whether it is a Job that is deleted some time after it has ended. */
const isShortLived = (one: ClusterObject | undefined): boolean =>
  one?.kind === 'Job' && (one.object as Job).spec?.ttlSecondsAfterFinished !== undefined

interface Job {
  spec?: { ttlSecondsAfterFinished?: number }
}

function pathsOf(a: unknown, b: unknown, path = ''): string[] {
  if (Object.is(a, b)) return []
  const isBranch = (value: unknown) => typeof value === 'object' && value !== null
  if (!isBranch(a) || !isBranch(b)) return [path]
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>]
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].flatMap((name) => pathsOf(one[name], other[name], path === '' ? name : `${path}.${name}`))
}
