import type { KubeObject } from '../../engine/kube/object.js'
import type { ManagedStatus } from '../../operator/kind/define/kind.js'

/** The name of an object and its namespace. */
export interface NamedObject {
  name: string
  namespace: string
}

/** One key of a ConfigMap. */
export interface ConfigMapKey extends NamedObject {
  key: string
}

/** The origin of a definition: exactly one of its members. */
export interface ModuleSource {
  /** The definition itself. */
  raw?: Record<string, unknown> | undefined
  configMap?: ConfigMapKey | undefined
  httpURL?: string | undefined
  existingHelmRelease?: NamedObject | undefined
  github?: Record<string, unknown> | undefined
}

/** A program without a definition. */
export interface ModuleCustom {
  image?: string | undefined
  imagePullSecrets?: string[] | undefined
  permissions?: string[] | undefined
  program?:
    | {
        url?: string | undefined
        configMap?: ConfigMapKey | undefined
        digest?: string | undefined
        /** The Secret with the credentials of the server, in the namespace of the Module. */
        auth?: NamedObject | undefined
      }
    | undefined
}

/** The spec of a Module, which users write. */
export interface ModuleSpec {
  /** Its Workspace. */
  workspace: NamedObject
  /** Whether the Module is to sleep. */
  hibernated: boolean
  /** The values of the configuration, by the aliases of its schema. */
  config?: Record<string, unknown> | undefined
  source?: ModuleSource | undefined
  helm?: Record<string, unknown> | undefined
  custom?: ModuleCustom | undefined
  /** The time limit of one call of the manager; default `5m`. */
  timeout?: string | undefined
  retry?: { maxBackoff?: string | undefined } | undefined
}

/** The phase of a Module. */
export type ModulePhase =
  | 'installing'
  | 'ready'
  | 'sleeping'
  | 'sleeped'
  | 'resuming'
  | 'uninstalling'
  | 'failed'

/** The record of the operation that a Module is in. */
export interface OperationRecord {
  /** The same for all attempts. */
  id: string
  kind: 'install' | 'upgrade' | 'sleep' | 'resume' | 'uninstall'
  /** Identifies the wanted state of an upgrade. */
  target?: string | undefined
  /** 1 for the first call. */
  attempt: number
  /** When the attempt began. */
  startedAt: string
  /** When the next attempt begins, after one that failed. */
  nextAttemptAt?: string | undefined
  /** Whether the next attempt waits for a change. */
  permanent?: boolean | undefined
  lastError?: string | undefined
  /** The kind of the error, in CamelCase. */
  reason?: string | undefined
  /** Whether the Module or a ConfigMap of it changed after an attempt that failed. */
  changed?: boolean | undefined
  /** The revisions of the ConfigMaps that the Module names, when the attempt began. */
  inputs?: string | undefined
  /** The value of the annotation `forkspacer.com/retry` when the attempt ended. */
  retry?: string | undefined
}

/** A permission rule of a program, as in RBAC. */
export interface ModuleProgramRule {
  group: string
  resource: string
  verbs: string[]
  namespace?: string | undefined
}

/** The program that a Module was installed with. */
export interface ModuleProgram {
  name: string
  version?: string | undefined
  digest?: string | undefined
  /** The optional methods of its manager: `upgrade`, `check`. */
  methods?: string[] | undefined
  /**
   * The rules that limit the requests of the program in the cluster. A loaded program without them may do what the
   * operator may.
   */
  permissions?: ModuleProgramRule[] | undefined
  /** The number of rules that are left out of `permissions`. */
  permissionsLeftOut?: number | undefined
}

/** The status of a Module, which its controller writes. */
export interface ModuleStatus extends ManagedStatus<'Ready' | 'Progressing' | 'Degraded'> {
  phase?: ModulePhase | undefined
  source?: string | undefined
  message?: string | undefined
  lastActivity?: string | undefined
  operation?: OperationRecord | undefined
  program?: ModuleProgram | undefined
  /** The kinds of the objects that its manager has written and that have no owner, such as `apps/v1 Deployment`. */
  kinds?: string[] | undefined
}

/** An application that a manager installs, puts to sleep, wakes and uninstalls. */
export interface Module extends KubeObject {
  kind?: 'Module'
  /** The schema of the configuration, for a Module without a definition that has one. */
  config?: Record<string, unknown>[] | undefined
  spec: ModuleSpec
  status?: ModuleStatus
}
