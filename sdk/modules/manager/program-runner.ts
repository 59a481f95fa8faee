import type { MetaData } from '../metadata/metadata.js'
import type { OperationContext, OperationKind, OptionalMethod } from './manager.js'
import type { ModuleCluster } from './module-cluster.js'
import type { PolicyRule } from './policy-rule.js'

/** A Module, for its manager. */
export interface ModuleIdentity {
  readonly name: string
  readonly namespace: string
  readonly uid: string
  /** Its Workspace, as `<namespace>/<name>`. */
  readonly workspace: string
}

/** Runs the managers of one program. */
export interface ProgramRunner {
  /** Makes the manager of a Module. Rejects with what `newManager` threw, or with a `ProgramError`. */
  open(module: ModuleIdentity, config: unknown, cluster: ModuleCluster): Promise<ManagerSession>
  /** Ends what runs; calls that have not ended fail. */
  close(): Promise<void>
}

/** The description of a program, by itself. */
export interface ProgramFacts {
  readonly name?: string | undefined
  readonly version?: string | undefined
  /** The rules that bound its requests; undefined if it may do what the operator may. */
  readonly permissions?: readonly PolicyRule[] | undefined
  /** The digest of the chart of a Helm release, or its commit. */
  readonly digest?: string | undefined
}

/** The manager of a Module. */
export interface ManagerSession {
  /** The program that made it. */
  readonly program: ProgramFacts
  /** The optional methods that the manager has. */
  readonly methods: readonly OptionalMethod[]
  /**
   * Makes a call. `before` is the former configuration, for `upgrade`. The metadata has the values of the manager
   * afterwards, also if it rejects. Rejects with the error of the manager, where a `PermanentError` stays one, or with
   * a `ProgramError`.
   */
  call(
    operation: OperationKind,
    ctx: OperationContext,
    metaData: MetaData,
    before?: unknown,
  ): Promise<boolean | undefined>
  close(): Promise<void>
}
