import type { Resource } from '../kube/resource.js'
import type { Syncer } from '../syncer/syncer.js'

/** What a plugin is made of, told without running it: see {@link describes}. */
export interface PluginDescription {
  readonly kind: 'PluginDescription'
  readonly name: string
  readonly syncers: readonly SyncerDescription[]
  /** Kinds that it reads on the host beside those of its syncers. */
  readonly hostReads: readonly ResourceDescription[]
}

/** One registered syncer. */
export interface SyncerDescription {
  readonly name: string
  readonly resource: ResourceDescription
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
  syncers: Iterable<Syncer>
  /** Every kind that was asked for on the host. */
  hostKinds: Iterable<Resource>
}

/** Describes what was registered. */
export function describePlugin({ name, syncers, hostKinds }: DescribePluginOptions): PluginDescription {
  const described = [...syncers].map((syncer) => ({ name: syncer.name, resource: plain(syncer.resource) }))
  return {
    kind: 'PluginDescription',
    name,
    syncers: described,
    hostReads: [...hostKinds].map(plain),
  }
}

function plain({ group, version, kind, plural, namespaced }: Resource): ResourceDescription {
  return { group, version, kind, plural, namespaced }
}
