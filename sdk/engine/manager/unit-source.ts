import type { Cluster } from '../cluster/cluster.js'
import type { RunEnd } from '../controller/run-end.js'
import type { UnhandledRejections } from '../controller/unhandled-rejections.js'
import type { OwnerReference } from '../kube/object.js'
import type { ShardAssignment } from '../leader/shard-assignment.js'
import type { Logger } from '../observe/logger.js'
import type { Metrics } from '../observe/metrics.js'
import type { Clock } from '../time/clock.js'
import type { AppliedFields } from '../watch/applied-fields.js'
import type { Unit } from './unit.js'

/** The vcluster of a plugin. */
export interface UnitVCluster {
  readonly name: string
  /** The namespace of the host that the plugin writes to. */
  readonly targetNamespace: string
  /** The vcluster's Service, if objects on the host are to be deleted with the vcluster. */
  readonly owner: () => OwnerReference | undefined
}

/** The namespace of a program, for objects that the users of its kinds must not reach. */
export interface OwnNamespace {
  /** The cluster of the program's Pod or Lease; in a plugin the host. */
  readonly cluster: Cluster
  /** The namespace of the program's Pod or Lease; in a plugin the namespace of the vcluster. */
  readonly namespace: string
  /** The unique name of the program in that namespace: a valid value of a label. */
  readonly name: string
}

/** The program that a unit becomes a part of. */
export interface UnitEnvironment {
  /** The name of the program: the first part of the field managers of its controllers. */
  readonly program: string
  /** The clusters of the program. If there is only one, it is the cluster of controllers that name no cluster. */
  readonly clusters: readonly Cluster[]
  readonly own: OwnNamespace
  /** Set in a plugin of a vcluster. */
  readonly vcluster?: UnitVCluster
  /** The fields that the controllers had applied before the program started, as the lists of the clusters show them. */
  readonly appliedFields: AppliedFields
  readonly logger: Logger
  readonly metrics: Metrics
  readonly clock: Clock
  /** Aborts when the intake closes. */
  readonly stop: AbortSignal
  /** Aborts when runs under way have to end. */
  readonly abort: AbortSignal
  /** Returns the shards of this replica if replicas share the work; called once leadership is won. */
  readonly assignment: () => ShardAssignment | undefined
  /** Catches rejections of promises that runs did not await; undefined if they end the process. */
  readonly rejections: () => UnhandledRejections | undefined
  /** Called after each run. */
  readonly onRunEnd: (end: RunEnd) => void
}

/** A permission that a program needs, in the form of a rule of a Role. */
export interface AccessRule {
  /** The cluster of the permission; left out for the only cluster. */
  readonly cluster?: string | undefined
  /** API group; `''` is the core group. */
  readonly group: string
  /** The plural of the kind, with a subresource behind a slash, or a non-resource URL: `pods/log`, `/metrics`. */
  readonly resource: string
  readonly verbs: readonly string[]
  /** The namespace of the permission; left out for all namespaces that the program sees. */
  readonly namespace?: string | undefined
  /** Only in the namespace of the {@link OwnNamespace} of the program; `cluster` and `namespace` are left out then. */
  readonly isOwn?: true
  /** The names of the objects; left out for all. */
  readonly names?: readonly string[]
  /** Set for kinds without a namespace. */
  readonly isClusterScoped?: true
}

/** Something that becomes a unit of any program, with or without a vcluster. */
export interface UnitSource {
  readonly name: string
  /** The permissions that the unit needs. */
  readonly accessRules: readonly AccessRule[]
  /** Whether the unit writes to the folder of temporary files, which the Pod then needs. */
  readonly writesTemporaryFiles: boolean
  /**
   * Adds permissions that take work to find to {@link accessRules}. Called before the program is described, not when it
   * runs.
   */
  findPermissions(): Promise<void>
  /**
   * Throws `PluginError` `INVALID_REGISTRATION` if the unit cannot run in one program with earlier registered units.
   */
  checkBeside(others: readonly UnitSource[]): void
  /**
   * Makes the unit. Throws `PluginError` `UNKNOWN_CLUSTER` if the program does not have a cluster that the unit names.
   */
  unitFor(environment: UnitEnvironment): Unit
}

/** Whether a value is a {@link UnitSource}. */
export function isUnitSource(value: object): value is UnitSource {
  return 'unitFor' in value && typeof value.unitFor === 'function'
}
