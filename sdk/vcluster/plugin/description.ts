import partition from 'lodash/partition.js'
import { isUrl } from '../../engine/kube/access-target.js'
import type { Resource } from '../../engine/kube/resource.js'
import { type AccessRule, isUnitSource } from '../../engine/manager/unit-source.js'
import { ClientHook } from '../hook/client-hook.js'
import { Interceptor } from '../hook/interceptor.js'
import type { InterceptorRule } from '../hook/interceptor-rule.js'
import { FakeSyncer } from '../syncer/fake-syncer.js'
import type { Permission } from '../syncer/permission.js'
import type { Reconciler } from '../syncer/reconciler.js'
import type { Runnable } from '../syncer/runnable.js'
import { Syncer } from '../syncer/syncer.js'

/** The parts of a plugin, described without running it: see `describes`. */
export interface PluginDescription {
  readonly kind: 'PluginDescription'
  readonly name: string
  readonly syncers: readonly SyncerDescription[]
  /** Kinds that the plugin reads on the host in addition to the kinds of its syncers. */
  readonly hostReads: readonly ReadDescription[]
  /** Kinds that the plugin reads in the virtual cluster. */
  readonly virtualReads: readonly ReadDescription[]
  /** Syncers whose copies are in the virtual cluster, and fake syncers; left out if there are none. */
  readonly upSyncers?: readonly SyncerDescription[]
  /** Further permissions that its runnables declare; left out if there are none. */
  readonly permissions?: readonly DeclaredPermission[]
  /** Set if the plugin writes to the folder of temporary files. */
  readonly writesTemporaryFiles?: true
  /** The interceptors; left out if there are none. */
  readonly interceptors?: readonly InterceptorDescription[]
  /** The JSON schema of the plugin's configuration; left out if the plugin reads no configuration. */
  readonly configSchema?: object
  /** The hooks; left out if there are none. */
  readonly hooks?: readonly HookDescription[]
}

/** One registered interceptor. */
export interface InterceptorDescription {
  readonly name: string
  readonly rules: readonly InterceptorRule[]
}

/** One registered hook. */
export interface HookDescription {
  readonly name: string
  readonly resource: ResourceDescription
}

/** A {@link Permission} that a runnable asks for itself. */
export interface DeclaredPermission extends Permission {
  /** The runnable's name. */
  readonly neededBy: string
}

/** One registered syncer that writes copies. */
export interface SyncerDescription {
  readonly name: string
  readonly resource: ResourceDescription
  /** Set if the syncer writes to other namespaces of the host than the target namespace. */
  readonly everywhere?: true
  /** The other namespaces that the syncer writes to; `''` means all namespaces. */
  readonly hostNamespaces?: readonly string[]
}

/** A kind that is read. */
export interface ReadDescription extends ResourceDescription {
  /** Set if the kind is read in namespaces of the host other than the target namespace. */
  readonly everywhere?: true
  /** The namespace; left out for the target namespace, and for the whole cluster. */
  readonly namespace?: string
}

/** A kind without its compile-time type. */
export type ResourceDescription = Pick<Resource, 'group' | 'version' | 'kind' | 'plural' | 'namespaced'>

/** Options of {@link describePlugin}. */
export interface DescribePluginOptions {
  name: string
  runnables: Iterable<Runnable>
  /** Every kind that was requested on the host. */
  hostReads: Iterable<Read>
  /** Every kind that was requested in the virtual cluster. */
  virtualReads: Iterable<Read>
}

/** A kind that the plugin requested. */
export interface Read {
  readonly resource: Resource
  /** Whether the plugin chose the namespace itself. */
  readonly everywhere: boolean
  /** The namespace; undefined for all namespaces. */
  readonly namespace: string | undefined
}

/** Describes the registrations. */
export function describePlugin(options: DescribePluginOptions): PluginDescription {
  const { name, hostReads, virtualReads } = options
  const all = [...options.runnables]
  const syncers = all.filter((one) => one instanceof Syncer)
  const [down, up] = partition(syncers as Syncer[], ({ originals }) => originals === 'virtual')
  const upSyncers = [...up, ...all.filter((one) => one instanceof FakeSyncer)]
  return {
    kind: 'PluginDescription',
    name,
    syncers: down.map(describeSyncer),
    hostReads: [...hostReads].map(describeRead),
    virtualReads: [...virtualReads].map(describeRead),
    ...unlessEmpty('upSyncers', upSyncers.map(describeSyncer)),
    ...unlessEmpty('permissions', all.flatMap(declaredBy)),
    ...(all.some(writesTemporaryFiles) && { writesTemporaryFiles: true as const }),
    ...unlessEmpty(
      'interceptors',
      all.filter(isInterceptor).map(({ name, rules }) => ({ name, rules })),
    ),
    ...unlessEmpty(
      'hooks',
      all.filter(isHook).map(({ name, resource }) => ({ name, resource: plain(resource) })),
    ),
  }
}

const everywhere = { everywhere: true } as const

const isInterceptor = (one: Runnable) => one instanceof Interceptor
const writesTemporaryFiles = (one: Runnable) => isUnitSource(one) && one.writesTemporaryFiles
const isHook = (one: Runnable) => one instanceof ClientHook

function unlessEmpty<Name extends string, Item>(name: Name, list: Item[]): { [name in Name]?: Item[] } {
  return list.length > 0 ? ({ [name]: list } as { [name in Name]: Item[] }) : {}
}

function describeSyncer(syncer: Reconciler & Partial<Pick<Syncer, 'hostNamespaces'>>): SyncerDescription {
  const { name, resource, hostNamespaces } = syncer
  return { name, resource: plain(resource), ...(hostNamespaces && { ...everywhere, hostNamespaces }) }
}

function describeRead(read: Read): ReadDescription {
  const { resource, namespace } = read
  return {
    ...plain(resource),
    ...(read.everywhere && { ...everywhere, ...(namespace !== undefined && { namespace }) }),
  }
}

function declaredBy(runnable: Runnable): DeclaredPermission[] {
  const { name, permissions = [] } = runnable
  const rules = isUnitSource(runnable) ? runnable.accessRules.map(asPermission) : []
  return [...permissions, ...rules].map((permission) => ({
    ...permission,
    // URLs have no namespace, and only a ClusterRole may have them.
    ...(isUrl(permission.resource) && { namespace: '' }),
    neededBy: name,
  }))
}

/**
 * Converts a rule of a unit to a permission of a plugin. A cluster of the rule becomes a side; the program's own
 * namespace becomes the target namespace, which is the default of host permissions.
 */
function asPermission({
  cluster,
  group,
  resource,
  verbs,
  isClusterScoped,
  isOwn,
  ...rule
}: AccessRule): Permission {
  if (isOwn) return { side: 'host', group, resource, verbs }
  const namespace = isClusterScoped ? '' : rule.namespace
  const side = cluster === 'host' ? 'host' : 'virtual'
  return { side, group, resource, verbs, ...(namespace !== undefined && { namespace }) }
}

function plain({ group, version, kind, plural, namespaced }: Resource): ResourceDescription {
  return { group, version, kind, plural, namespaced }
}
