import type { KubeObject } from '../../engine/kube/object.js'
import type { ManagedStatus } from '../../operator/kind/define/kind.js'
import type { ConfigMapKey, NamedObject } from './module.js'

/** When a Workspace goes to sleep and wakes by itself. */
export interface AutoHibernation {
  enabled: boolean
  /** When the Workspace goes to sleep: five or six fields of cron, a name such as `@daily`, or `@every 12h`. */
  schedule: string
  /** When the Workspace wakes. By default a user wakes it. */
  wakeSchedule?: string | undefined
  /** The IANA name of the time zone of both schedules; default UTC. */
  timeZone?: string | undefined
}

/**
 * The state of the vcluster of a Workspace. `waking` is every state in which it does not serve and is not on its way to
 * sleep.
 */
export type VclusterState = 'awake' | 'sleeping' | 'asleep' | 'waking'

/** The spec of a Workspace, which users write. */
export interface WorkspaceSpec {
  type: 'kubernetes' | 'managed'
  from?: (NamedObject & { migrateData: boolean }) | undefined
  /** Whether all its Modules are to sleep. */
  hibernated: boolean
  connection: {
    type: 'local' | 'in-cluster' | 'kubeconfig' | 'virtual' | 'host'
    secretReference?: ConfigMapKey | undefined
  }
  managedCluster?:
    | {
        backend: 'vcluster' | 'k3d' | 'kind'
        distro?: 'k3s' | 'k0s' | 'k8s' | 'eks' | undefined
      }
    | undefined
  /** The vcluster that sleeps and wakes with the Workspace, in the cluster that holds the Workspace. */
  vcluster?: NamedObject | undefined
  autoHibernation?: AutoHibernation | undefined
}

/** The vcluster of a managed Workspace. */
export interface ManagedCluster {
  namespace: string
  /** The UID of the namespace: the vcluster is installed again in another one. */
  namespaceUid: string
  /** The name of the Helm release and of the vcluster. */
  release: string
  /** The chart that was installed, such as `vcluster-0.30.0`. */
  chart: string
  /** Identifies the chart and the values that were installed. */
  inputs: string
  /** The Secret with the kubeconfig of the vcluster. */
  secretReference: ConfigMapKey
}

/** The kinds of objects whose data a fork copies. */
export type ForkedKind = 'Secret' | 'ConfigMap' | 'PersistentVolumeClaim'

/** One object whose data a fork copies. */
export interface ForkedData {
  /** The name of the Module of the source. */
  module: string
  kind: ForkedKind
  /** The object of the source, as `namespace/name`. */
  from: string
  /** The object of the fork, once the copy of the Module is installed. */
  to?: string | undefined
  phase: 'waiting' | 'copying' | 'done'
  /** The number of attempts to copy the object. */
  attempt?: number | undefined
  /** When the next attempt begins, after one that failed. */
  nextAttemptAt?: string | undefined
  /** Identifies the sleep of the source that a volume is copied in. */
  during?: string | undefined
  /** The size of the stream with the files of a volume. */
  bytes?: number | undefined
  /** The SHA-256 of that stream, in hex. */
  sha256?: string | undefined
  message?: string | undefined
}

/** The progress of a fork. */
export interface WorkspaceFork {
  phase: 'waiting' | 'copying' | 'done'
  /** The number of Modules that were copied. */
  modules?: number | undefined
  message?: string | undefined
  /** Set for a fork with `migrateData`. */
  data?: ForkedData[] | undefined
}

/** The status of a Workspace, which its controller writes. */
export interface WorkspaceStatus extends ManagedStatus<'Ready'> {
  phase?: 'installing' | 'ready' | 'hibernated' | 'failed' | 'terminating' | undefined
  ready?: boolean | undefined
  lastActivity?: string | undefined
  hibernatedAt?: string | undefined
  message?: string | undefined
  /** The Modules of the Workspace, counted by their phases. */
  modules?: { total: number; ready: number; sleeped: number; failed: number } | undefined
  /** Set for a Workspace with a vcluster; its Modules wait while it is not `awake`. */
  vcluster?: VclusterState | undefined
  /** Set for a Workspace of the type `managed`. */
  managed?: ManagedCluster | undefined
  /** Set for a Workspace with `spec.from`. */
  fork?: WorkspaceFork | undefined
  /** The newest time of the schedules that was acted on. */
  lastScheduleTime?: string | undefined
}

/** A cluster that sleeps and wakes with all its Modules. */
export interface Workspace extends KubeObject {
  kind?: 'Workspace'
  spec: WorkspaceSpec
  status?: WorkspaceStatus
}
