import { leases, services } from '../../engine/kube/builtin.js'
import { newEvents } from '../../engine/kube/builtin-events.js'
import type { Permission } from '../syncer/permission.js'
import type { PluginDescription, ReadDescription, SyncerDescription } from './description.js'
import type { Mode } from './mode.js'

/** A {@link Permission} and the parts of the plugin that need it. */
export interface NeededPermission extends Permission {
  /** The names of runnables, or of parts of the SDK, each once. */
  readonly neededBy: readonly string[]
  /** Set if the plugin also works without the permission, but less well. */
  readonly optional?: true
}

/** Options of {@link permissionsOf}. */
export interface PermissionsOptions {
  /** The mode in which the plugin runs; default `sidecar`. A standalone plugin also needs a Lease. */
  mode?: Mode
  /** Whether copies are owned by the vcluster's Service; default true. */
  hasOwner?: boolean
  /** Whether replicas share the work, each shard by a Lease; default false. */
  isShared?: boolean
}

const reading = ['get', 'list', 'watch']
/** The SDK's own verbs for copies; a program may patch them, too. */
const copying = ['create', 'delete', 'get', 'list', 'update', 'watch']

/**
 * All permissions that a plugin needs in both clusters, derived from its registrations: one entry for each kind and
 * namespace. In the virtual cluster a plugin usually is an administrator already; a standalone plugin is not.
 *
 * See https://kubernetes.io/docs/reference/access-authn-authz/rbac/
 */
export function permissionsOf(
  description: PluginDescription,
  { mode = 'sidecar', hasOwner = true, isShared = false }: PermissionsOptions = {},
): NeededPermission[] {
  const needs = [
    ...description.syncers.flatMap(copiesOnHost),
    ...(description.upSyncers ?? []).flatMap(copiesInVirtual),
    ...description.hostReads.map((read) => readNeeds('host', read)),
    ...description.virtualReads.map((read) => readNeeds('virtual', read)),
    ...(description.permissions ?? []).map((one) => ({ ...one, neededBy: [one.neededBy] })),
    ...ownNeeds({ mode, hasOwner, isShared }),
  ]
  return withoutNeedless(mergeNeeds(needs))
}

function copiesOnHost({ name, resource, hostNamespaces }: SyncerDescription): NeededPermission[] {
  return namespacesOf(hostNamespaces).flatMap((where) => {
    const scope = { ...kindOf(resource), ...(resource.namespaced ? where : everywhere), neededBy: [name] }
    return [
      { side: 'host', ...scope, verbs: copying },
      { side: 'host', ...scope, verbs: ['patch'], optional: true },
    ]
  })
}

/**
 * The writes of a fake syncer are not known, so only the verbs that every syncer of the SDK uses are
 * required.
 */
function copiesInVirtual({ name, resource }: SyncerDescription): NeededPermission[] {
  const scope = { side: 'virtual', ...kindOf(resource), neededBy: [name] } as const
  return [
    { ...scope, verbs: reading },
    { ...scope, verbs: ['create', 'delete', 'patch', 'update'], optional: true },
  ]
}

function readNeeds(side: Permission['side'], read: ReadDescription): NeededPermission {
  const isElsewhere = side === 'host' && (!read.namespaced || read.everywhere)
  const where = isElsewhere ? { namespace: read.namespace ?? '' } : {}
  return { side, ...kindOf(read), ...where, verbs: ['list', 'watch'], neededBy: ['what the plugin watches'] }
}

/** The permissions that the SDK needs, whatever is registered. */
function ownNeeds({ mode, hasOwner, isShared }: Required<PermissionsOptions>): NeededPermission[] {
  const service = { side: 'host', ...kindOf(services), neededBy: ['the owner of copies'] } as const
  const event = { side: 'virtual', ...kindOf(newEvents), neededBy: ['Events'] } as const
  const lease = { side: 'host', ...kindOf(leases), neededBy: ['leadership'] } as const
  return [
    ...(hasOwner
      ? [{ ...service, verbs: ['get'] }, { ...service, verbs: ['list', 'watch'], optional: true } as const]
      : []),
    { ...event, verbs: ['create', 'patch'], optional: true },
    ...(mode === 'standalone' ? [{ ...lease, verbs: ['create', 'get', 'update'] }] : []),
    ...(isShared ? [{ ...lease, verbs: ['delete', 'list'] }] : []),
  ]
}

const everywhere = { namespace: '' }

function namespacesOf(names: readonly string[] | undefined): { namespace?: string }[] {
  if (names === undefined) return [{}]
  return names.includes('') ? [everywhere] : names.map((namespace) => ({ namespace }))
}

function kindOf({
  group,
  plural,
}: {
  group: string
  plural: string
}): Pick<Permission, 'group' | 'resource'> {
  return { group, resource: plural }
}

/** One entry for each kind, namespace and need; the verbs in their order. */
function mergeNeeds(needs: readonly NeededPermission[]): NeededPermission[] {
  const merged = new Map<string, NeededPermission>()
  for (const need of needs) {
    const id = `${placeOf(need)} ${need.optional ?? ''}`
    const existing = merged.get(id)
    const verbs = [...new Set([...(existing?.verbs ?? []), ...need.verbs])].sort()
    const neededBy = [...new Set([...(existing?.neededBy ?? []), ...need.neededBy])]
    merged.set(id, { ...need, verbs, neededBy })
  }
  return [...merged.values()]
}

/** Removes optional permissions that are required elsewhere. */
function withoutNeedless(needs: readonly NeededPermission[]): NeededPermission[] {
  const needed = new Map(needs.filter(({ optional }) => !optional).map((need) => [placeOf(need), need.verbs]))
  const reduced = needs.map((need) => {
    const verbs = need.optional
      ? need.verbs.filter((verb) => !needed.get(placeOf(need))?.includes(verb))
      : need.verbs
    return { ...need, verbs }
  })
  return reduced.filter(({ verbs }) => verbs.length > 0)
}

function placeOf({
  side,
  group,
  resource,
  namespace = side === 'host' ? undefined : '',
}: Permission): string {
  return JSON.stringify([side, group, resource, namespace])
}
