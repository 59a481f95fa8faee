import { ClientHook } from '../hook/client-hook.js'
import { Interceptor } from '../hook/interceptor.js'
import type { InterceptorRule } from '../hook/interceptor-rule.js'
import type { Resource } from '../kube/resource.js'
import type { Registrant } from '../syncer/registrant.js'
import { Syncer } from '../syncer/syncer.js'

/** What a plugin is made of, told without running it: see {@link describes}. */
export interface PluginDescription {
  readonly kind: 'PluginDescription'
  readonly name: string
  readonly syncers: readonly SyncerDescription[]
  /** Kinds that it reads on the host beside those of its syncers. */
  readonly hostReads: readonly ReadDescription[]
  /** Left out where it has none. */
  readonly interceptors?: readonly InterceptorDescription[]
  /** Left out where there are none. */
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

/** One registered syncer that writes copies to the host. */
export interface SyncerDescription {
  readonly name: string
  readonly resource: ResourceDescription
  /** Set where it writes to other namespaces than the target namespace. */
  readonly everywhere?: true
}

/** A kind that is read on the host. */
export interface ReadDescription extends ResourceDescription {
  /** Set where it is read in other namespaces than the target namespace. */
  readonly everywhere?: true
}

/** A kind without its compile-time type. */
export type ResourceDescription = Pick<Resource, 'group' | 'version' | 'kind' | 'plural' | 'namespaced'>

/**
 * Whether the environment asks a plugin to describe itself (`VCLUSTER_PLUGIN_DESCRIBE=1`): `init` then answers a
 * context without clusters behind it, and `start` prints a {@link PluginDescription} as one line of JSON and ends.
 */
export function describes(env: Readonly<Record<string, string | undefined>>): boolean {
  return env.VCLUSTER_PLUGIN_DESCRIBE === '1'
}

/** What {@link describePlugin} is told of a plugin. */
export interface DescribePluginOptions {
  name: string
  registrants: Iterable<Registrant>
  /** Every kind that was asked for on the host. */
  hostReads: Iterable<{ resource: Resource; everywhere: boolean }>
}

/** Describes what was registered. */
export function describePlugin({ name, registrants, hostReads }: DescribePluginOptions): PluginDescription {
  const all = [...registrants]
  const interceptors = all.filter((one) => one instanceof Interceptor)
  const hooks = all.filter((one) => one instanceof ClientHook)
  const syncers = all.filter((one) => one instanceof Syncer && one.originals === 'virtual')
  return {
    kind: 'PluginDescription',
    name,
    syncers: (syncers as Syncer[]).map((syncer) => ({
      name: syncer.name,
      resource: plain(syncer.resource),
      ...(syncer.hostNamespaces && everywhere),
    })),
    hostReads: [...hostReads].map((read) => ({
      ...plain(read.resource),
      ...(read.everywhere && everywhere),
    })),
    ...(interceptors.length > 0 && {
      interceptors: interceptors.map(({ name, rules }) => ({ name, rules })),
    }),
    ...(hooks.length > 0 && {
      hooks: hooks.map(({ name, resource }) => ({ name, resource: plain(resource) })),
    }),
  }
}

const everywhere = { everywhere: true } as const

function plain({ group, version, kind, plural, namespaced }: Resource): ResourceDescription {
  return { group, version, kind, plural, namespaced }
}
