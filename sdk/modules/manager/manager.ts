import type { Logger } from '../../engine/observe/logger.js'
import type { MetaData } from '../metadata/metadata.js'

/** The kinds of calls that the operator makes to a manager. */
export type OperationKind = 'install' | 'uninstall' | 'sleep' | 'resume' | 'upgrade' | 'check'

/** The methods that a manager may lack. */
export type OptionalMethod = 'upgrade' | 'check'

/** Options of {@link OperationContext.until}. */
export interface UntilOptions {
  /** The time between two checks, in milliseconds. */
  readonly everyMs: number
  /** The time after which it rejects, in milliseconds, at most 24 h. */
  readonly timeoutMs: number
}

/** The context of one call of a manager. */
export interface OperationContext {
  /** Aborted at the time limit, when the Module is deleted, and when the operator stops or loses leadership. */
  readonly signal: AbortSignal
  /** The time limit of the call, in milliseconds from its start. */
  readonly deadlineMs: number
  /** 1 for the first call of an operation. */
  readonly attempt: number
  /** The same for all attempts of one operation: an idempotency key for other systems. */
  readonly operationId: string
  /**
   * Why the manager is called: the first time, after an error, after a crash of the operator, or for a changed Module.
   */
  readonly reason: 'first' | 'retry' | 'crash' | 'changed'
  readonly logger: Logger
  /** Resolves when the condition holds; rejects after its time, or with the reason of the signal. */
  until(condition: () => unknown, options: UntilOptions): Promise<void>
}

/**
 * The code that installs a Module, puts it to sleep, wakes it and uninstalls it. Each method is called at least once:
 * again after an error or a crash. Calls for one Module do not overlap.
 */
export interface Manager {
  /** Creates the objects of the Module, and keeps those that already exist. */
  install(ctx: OperationContext, metaData: MetaData): void | Promise<void>
  /** Removes everything that `install` has made, even if `install` did not finish. */
  uninstall(ctx: OperationContext, metaData: MetaData): void | Promise<void>
  /** Stops everything that uses resources, without losing data. */
  sleep(ctx: OperationContext, metaData: MetaData): void | Promise<void>
  /** Undoes `sleep`. */
  resume(ctx: OperationContext, metaData: MetaData): void | Promise<void>
  /**
   * Changes an installed Module to the configuration that the manager was made with. `before` is the former one.
   * Without this method the configuration of a Module cannot change after the installation.
   */
  upgrade?(ctx: OperationContext, metaData: MetaData, before: unknown): void | Promise<void>
  /** Returns whether the Module works. Called at most once a minute while the Module is `ready`. */
  check?(ctx: OperationContext, metaData: MetaData): boolean | Promise<boolean>
}
