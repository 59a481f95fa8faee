import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { ContextPlugin } from '../context/call-context.js'
import type { PluginMetadata } from '../context/plugin-identity.js'
import type { ObjectVerb } from '../context/verb.js'
import type { BackupHooks } from '../hooks/backup-hooks.js'
import type { ClusterHooks } from '../hooks/cluster-hooks.js'
import type { MetricsHook, PostgresHook, RestoreJobHook } from '../hooks/instance-hooks.js'
import type { ObjectHandler } from '../hooks/object-hook.js'
import type { WalHooks } from '../hooks/wal-hooks.js'

/** The hooks of one kind, by verb, in the order of their registration. */
export interface KindHooks<P> {
  readonly resource: Pick<Resource, 'group' | 'kind'>
  readonly handlers: Map<ObjectVerb, ObjectHandler<KubeObject, P>[]>
}

/** The Pods in which a sidecar serves. */
export interface SidecarTargets {
  instances: boolean
  jobs: boolean
}

/** All registrations of a plugin, from which the services and their capabilities are derived. */
export interface RegisteredHooks<P> extends ContextPlugin<P> {
  readonly metadata: PluginMetadata
  /** Whether parameters have a schema, so that Clusters are validated even without a hook for it. */
  readonly hasParameters: boolean
  /** By `kind.group`. */
  readonly kinds: ReadonlyMap<string, KindHooks<P>>
  readonly cluster: ClusterHooks<P>
  readonly backups: BackupHooks<P>
  readonly wal: WalHooks<P>
  readonly restoreJob: RestoreJobHook<P> | undefined
  readonly postgres: PostgresHook<P> | undefined
  readonly metrics: MetricsHook<P> | undefined
  readonly sidecars: Readonly<SidecarTargets>
}
