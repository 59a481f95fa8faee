import type { Cluster } from '../../../engine/cluster/cluster.js'
import type { OwnNamespace } from '../../../engine/manager/unit-source.js'
import type { Logger } from '../../../engine/observe/logger.js'
import type { Store } from '../../../engine/store/store.js'
import type { Clock } from '../../../engine/time/clock.js'
import type { ContainerModules } from '../../container/container-modules.js'
import type { HelmModules } from '../../helm/helm-modules.js'
import type { Module } from '../../kinds/module.js'
import type { OperationContext } from '../../manager/manager.js'
import type { ProgramCopies } from '../programs/program-copies.js'
import type { Programs } from '../programs/programs.js'
import type { CheckVerdict, RefusedChange, SleepVerdict } from '../record/idle-memory.js'
import type { KnownClusters } from './connection.js'
import type { KubeconfigClusters } from './kubeconfig-clusters.js'
import type { ListableKinds } from './listable-kinds.js'

/** The parts of the operator that the runs of Modules share. */
export interface ModuleEnvironment {
  readonly programs: Programs
  /** The Helm releases of Modules; undefined if Modules may have none. */
  readonly helm: HelmModules | undefined
  /** Runs the managers that are containers. */
  readonly containers: ContainerModules | undefined
  /** The metadata of ConfigMaps. */
  readonly configMaps: Store
  readonly logger: Logger
  readonly clock: Clock
  /** The copies of loaded programs. */
  readonly copies: ProgramCopies
  /** The digests of the programs of Modules whose finalizer is being removed, by the keys of the Modules. */
  readonly leaving: Map<string, string>
  /** The namespace of the operator, which users of Modules must not access. */
  readonly own: OwnNamespace
  /** The cluster that holds the Modules and the Workspaces. */
  readonly cluster: Cluster
  /** The clusters of the operator. */
  readonly clusters: readonly Cluster[]
  /** The clusters of Workspaces with a kubeconfig. */
  readonly kubeconfigs: KubeconfigClusters
  /** The clusters that Workspaces may have. */
  readonly connections: KnownClusters
  /** The kinds that the operator may list. */
  readonly listable: ListableKinds
  /** The name under which the API server remembers what managers apply. */
  readonly fieldManager: string
  /** Whether all metadata is kept in Secrets. */
  readonly metaDataInSecret: boolean
  /** Whether a StatefulSet whose policy deletes its volumes keeps them during a sleep. */
  readonly keepVolumes: boolean
  /** The attempts that were recorded by this process and have not been made. */
  readonly attempts: RecordedAttempts
  /** The calls that continue although they were aborted, by the UID of their Module. */
  readonly hanging: Map<string, Promise<void>>
  /** The last checks, by the UID of the Module. */
  readonly checks: Map<string, CheckVerdict>
  /** The last checks whether the workloads of a Module sleep, by the UID of the Module. */
  readonly sleepVerdicts: Map<string, SleepVerdict>
  /** The changes that are not carried out, by the UID of the Module. */
  readonly refusals: Map<string, RefusedChange>
  /** Aborts when the operator stops. */
  readonly stop: AbortSignal
  /** Calls back when a Module or its Workspace changes; returns a function that unsubscribes. */
  onChange(module: Module, callback: () => void): () => void
}

/** Why an attempt is made. The manager receives the reason. */
type Reason = OperationContext['reason']

/** The attempts that were recorded and not yet made. A recorded attempt that is not here was interrupted by a crash. */
export class RecordedAttempts {
  /** The last one of each Module, by its UID. */
  readonly #lastAttempts = new Map<string, { readonly name: string; readonly reason: Reason }>()

  /** The number of recorded attempts. */
  get size(): number {
    return this.#lastAttempts.size
  }

  /** Notes that an attempt was recorded. */
  add(uid: string, attempt: AttemptName, reason: Reason): void {
    this.#lastAttempts.set(uid, { name: nameOf(attempt), reason })
  }

  /** Takes the reason of an attempt; `crash` for one that was begun before. */
  take(uid: string, attempt: AttemptName): Reason {
    const last = this.#lastAttempts.get(uid)
    if (last?.name !== nameOf(attempt)) return 'crash'
    this.#lastAttempts.delete(uid)
    return last.reason
  }

  /** Forgets the attempt of a deleted Module. */
  delete(uid: string): void {
    this.#lastAttempts.delete(uid)
  }
}

/** Identifies an attempt: the id of its operation, and its number. */
interface AttemptName {
  readonly id: string
  readonly attempt: number
}

const nameOf = ({ id, attempt }: AttemptName) => `${id} ${attempt}`
