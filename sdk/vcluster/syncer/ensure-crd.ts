/**
 * Installs the definitions of custom kinds in the virtual cluster or the host.
 *
 * An existing definition keeps its owner, and the resource that `ensureCRD` returns is served. The objects themselves
 * are left to the syncers.
 */
import { filter, firstValueFrom, from, map, type Observable, race, switchMap, take } from 'rxjs'
import type { Cluster } from '../../engine/cluster/cluster.js'
import {
  definitionName,
  definitionOfVersion,
  isEstablished,
  resourceOf,
  servesVersion,
  versionNamed,
  withVersion,
} from '../../engine/cluster/definition.js'
import { findKind } from '../../engine/cluster/find-kind.js'
import { readDefinition } from '../../engine/cluster/read-definition.js'
import { type CustomResourceDefinition, customResourceDefinitions } from '../../engine/kube/builtin.js'
import { isAlreadyExists, isForbidden, isNotFound, PluginError } from '../../engine/kube/error.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { formatResource, type Resource } from '../../engine/kube/resource.js'
import { type Clock, sleep } from '../../engine/time/clock.js'
import type { RegisterContext, Side } from '../context/register-context.js'
import { checkCrdOptions } from './check-crd-options.js'
import type { Permission } from './permission.js'

/** The source of a definition: the host cluster, a YAML file, or the program itself. */
export type DefinitionSource<T extends KubeObject = KubeObject> =
  | { from: 'host'; resource: Resource<T> }
  | { file: string | URL }
  | { definition: CustomResourceDefinition }

/** The verbs that {@link ensureCRD} uses in the cluster that gets the definition. */
const definingVerbs = ['create', 'get', 'list', 'update', 'watch']

/**
 * The permissions that {@link ensureCRD} needs, for the `permissions` of the syncer that calls it. A plugin in the Pod
 * of its vcluster has the permissions of the virtual cluster anyway. A standalone plugin needs them, unless the
 * definition is installed before it starts.
 *
 * @example
 * ```ts
 * const permissions = ensureCRDPermissions({ from: 'host' })
 * console.log(permissions.map(({ side }) => side)) // [ 'virtual', 'host' ]
 * ```
 */
export function ensureCRDPermissions({
  from,
  into = 'virtual',
}: {
  from?: 'host'
  into?: Side
} = {}): readonly Permission[] {
  const { group, plural: resource } = customResourceDefinitions
  const scope = { group, resource, namespace: '' }
  const hostPermission = { side: 'host', ...scope, verbs: ['get'] } as const
  return [{ side: into, ...scope, verbs: definingVerbs }, ...(from === 'host' ? [hostPermission] : [])]
}

/** Options of {@link ensureCRD}. */
export type EnsureCRDOptions<T extends KubeObject = KubeObject> = DefinitionSource<T> & {
  /**
   * The cluster that should serve the kind; default `virtual`. On the host the plugin needs a ClusterRole, see {@link
   * ensureCRDPermissions}.
   */
  into?: Side
  /** How long the kind may take until it is served, in milliseconds; default 60,000. */
  timeoutMs?: number
}

/**
 * Makes the virtual cluster, or the host, serve a custom kind, and returns its resource once it is served: call it in a
 * syncer's `init`. A kind that is served already is left as it is, unless its definition is being deleted: then the
 * call waits until the definition and its objects are gone. Otherwise the definition is created with only the wanted
 * version; an existing definition without that version gets it, and keeps its storage version. {@link
 * ensureCRDPermissions} are the permissions that it needs (`EnsureCRDFromPhysicalCluster` and `EnsureCRDFromFile` in
 * `translate/crd.go` @ vcluster-sdk v0.4.2).
 *
 * Throws `PluginError`: `UNKNOWN_KIND` if the host has no such definition or version, `INVALID_CRD` for a file or an
 * object that is not a definition, `CRD_NOT_ACCEPTED` if another definition has the names, `CRD_NOT_SERVED` after the
 * time limit.
 *
 * @example
 * ```ts
 * const resource = { group: 'example.com', version: 'v1', kind: 'Car', plural: 'cars', namespaced: true }
 * const cars = await ensureCRD(ctx, { from: 'host', resource })
 * console.log(cars.plural) // cars
 * ```
 */
export async function ensureCRD<T extends KubeObject = KubeObject>(
  ctx: RegisterContext,
  options: EnsureCRDOptions<T>,
): Promise<Resource<T>> {
  checkCrdOptions(options)
  const { resource, definition } = await readFrom(options)
  const { timeoutMs = 60_000, into = 'virtual' } = options
  const target = { cluster: ctx[into], host: ctx.host, clock: ctx.clock }
  const isDeleting = await isTerminating(target, resource)
  if (isDeleting) await untilGone(target, resource, timeoutMs)
  if (isDeleting || !(await isServed(target, resource))) {
    await define(target, resource, definition)
    await untilServed(target, resource, timeoutMs)
    ctx.logger.info({ resource: formatResource(resource), cluster: into }, 'the cluster serves the kind now')
  }
  return resource
}

/** The cluster that should serve the kind, and the host, which may have its definition. */
interface Target {
  cluster: Cluster
  host: Cluster
  clock: Clock
}

interface RequestedDefinition<T extends KubeObject> {
  resource: Resource<T>
  /** The definition; undefined if it must be read from the host. */
  definition?: CustomResourceDefinition
}

/** Reads the file of the caller, if the definition comes from a file. */
async function readFrom<T extends KubeObject>(source: DefinitionSource<T>): Promise<RequestedDefinition<T>> {
  if ('from' in source) return { resource: source.resource }
  const definition = await readDefinition('file' in source ? source.file : source.definition)
  return { definition, resource: resourceOf(definition) as Resource<T> }
}

async function isServed({ cluster }: Target, resource: Resource): Promise<boolean> {
  const served = await findKind(cluster, resource)
  // Another definition may have taken the name of the kind.
  return served?.plural === resource.plural
}

/** Whether the definition of the kind is being deleted. False without permission to read definitions. */
async function isTerminating({ cluster }: Target, resource: Resource): Promise<boolean> {
  const existing = await definitionIn(cluster, resource).catch((error: unknown) => {
    if (!isForbidden(error)) throw error
  })
  return existing?.metadata.deletionTimestamp !== undefined
}

/** Creates the definition, or adds the version to the existing definition. */
async function define(target: Target, resource: Resource, source?: CustomResourceDefinition): Promise<void> {
  const { client } = target.cluster
  const existing = await definitionIn(target.cluster, resource)
  if (existing && servesVersion(existing, resource.version)) return
  const definition = definitionOfVersion(source ?? (await hostDefinition(target, resource)), resource.version)
  if (existing) {
    const version = versionNamed(definition, resource.version)
    await client.update(customResourceDefinitions, withVersion(existing, version))
    return
  }
  try {
    await client.create(customResourceDefinitions, definition)
  } catch (error) {
    // Somebody was quicker; if that is another version, the wait for ours ends with its time limit.
    if (!isAlreadyExists(error)) throw error
  }
}

/** Reads the definition of a kind from the host. Rejects with `PluginError` `UNKNOWN_KIND` if there is none. */
async function hostDefinition({ host }: Target, resource: Resource): Promise<CustomResourceDefinition> {
  const definition = await definitionIn(host, resource)
  if (definition) return definition
  const name = definitionName(resource)
  throw new PluginError(
    'UNKNOWN_KIND',
    `the host cluster has no CustomResourceDefinition ${name}; install it there first`,
  )
}

/** Reads the definition of a kind from a cluster; undefined if there is none. */
async function definitionIn(
  { client }: Cluster,
  resource: Resource,
): Promise<CustomResourceDefinition | undefined> {
  try {
    return await client.get(customResourceDefinitions, { namespace: '', name: definitionName(resource) })
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** Waits until a definition that is being deleted is not in a list, or is reported as deleted. */
async function untilGone({ cluster, clock }: Target, resource: Resource, timeoutMs: number): Promise<void> {
  const name = definitionName(resource)
  let listed = 0
  const gone$ = definitionEvents(cluster, name).pipe(
    filter(({ type }) => {
      if (type === 'listStarted') listed = 0
      if (type === 'listed') listed++
      return type === 'deleted' || (type === 'listDone' && listed === 0)
    }),
  )
  const message =
    `CustomResourceDefinition ${name} of the ${cluster.name} cluster is still being deleted after ${timeoutMs} ms: look for ` +
    'objects of its kind that still have finalizers, or raise timeoutMs'
  await firstWithin(gone$, { clock, timeoutMs, message })
}

function definitionEvents(cluster: Cluster, name: string) {
  return cluster.watch$({ resource: customResourceDefinitions, fieldSelector: `metadata.name=${name}` })
}

/** Waits until the definition is established, and then until the API server answers a list. */
async function untilServed({ cluster, clock }: Target, resource: Resource, timeoutMs: number): Promise<void> {
  const name = definitionName(resource)
  const served$ = definitionEvents(cluster, name).pipe(
    map((event) => 'object' in event && event.type !== 'deleted' && isAccepted(event.object)),
    filter(Boolean),
    take(1),
    switchMap(() => cluster.watch$({ resource, fieldSelector: 'metadata.name=none' })),
    filter(({ type }) => type === 'listDone'),
  )
  const message =
    `the ${cluster.name} cluster does not serve ${name} ${timeoutMs / 1000} s after its definition was created: ` +
    'check the conditions of the CustomResourceDefinition, or raise timeoutMs'
  await firstWithin(served$, { clock, timeoutMs, message })
}

/** Waits for the first value; after the time limit it throws `PluginError` `CRD_NOT_SERVED`. */
async function firstWithin(
  values$: Observable<unknown>,
  { clock, timeoutMs, message }: { clock: Clock; timeoutMs: number; message: string },
): Promise<void> {
  const done = new AbortController()
  const timeout = sleep(clock, timeoutMs, done.signal).then(() => {
    throw new PluginError('CRD_NOT_SERVED', message)
  })
  try {
    await firstValueFrom(race(values$, from(timeout)))
  } finally {
    done.abort()
  }
}

/** Whether the definition is established. Throws if it can never be accepted. */
function isAccepted(definition: CustomResourceDefinition): boolean {
  const conditions = definition.status?.conditions ?? []
  const refusal = conditions.find(({ type, status }) => type === 'NamesAccepted' && status === 'False')
  if (!refusal) return isEstablished(definition)
  const why = refusal.message ?? refusal.reason
  throw new PluginError(
    'CRD_NOT_ACCEPTED',
    `the API server does not accept the names of CustomResourceDefinition ${definition.metadata.name}: ${why}`,
  )
}
