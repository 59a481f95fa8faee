import type { MetaData } from '../metadata/metadata.js'
import type { OperationContext, OperationKind, OptionalMethod } from './manager.js'
import type { ModuleCluster } from './module-cluster.js'
import type { PolicyRule } from './policy-rule.js'

/** The identity of a Module, which its manager gets. */
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
  /** Ends all processes of the program; calls that have not ended fail. */
  close(): Promise<void>
}

/** The facts that a program states about itself. */
export interface ProgramFacts {
  readonly name?: string | undefined
  readonly version?: string | undefined
  /** The rules that limit the requests of the program; undefined if it has all permissions of the operator. */
  readonly permissions?: readonly PolicyRule[] | undefined
  /** The digest of the chart of a Helm release, or its commit. */
  readonly digest?: string | undefined
}

/** A connection to the manager of a Module. */
export interface ManagerSession {
  /** The program that made the manager. */
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
