import type { CnpgHookContext } from '../context/contexts.js'
import type { Awaitable, Optional } from './optional.js'

/** How a restore job fetches the WAL. */
export interface RestoreConfiguration {
  /** Lines for the configuration of Postgres, for example a `restore_command`. */
  config: string
  /** Environment of the job. */
  env?: Record<string, string>
}

/** The restore job of a Cluster; the first plugin of the Cluster that has this hook restores. */
export interface RestoreJobHook<P = Record<string, string>> {
  /** Fills the data folder. `checkEmptyArchive` is undefined if the operator does not say (before protocol v0.6.0). */
  restore(ctx: CnpgHookContext<P>, options: RestoreOptions): Awaitable<RestoreConfiguration>
}

/** Options of {@link RestoreJobHook}. */
export interface RestoreOptions {
  readonly checkEmptyArchive: boolean | undefined
}

/** The operation for which Postgres is configured. */
export type PostgresOperation = 'init' | 'restore' | 'reconcile' | 'upgrade'

/** The configuration of Postgres. */
export interface PostgresHook<P = Record<string, string>> {
  /**
   * Returns the whole new configuration, or edits the draft. All plugins get the same input, and the last answer that
   * is not empty wins.
   */
  configuration(
    ctx: CnpgHookContext<P>,
    settings: Record<string, string>,
    operation: PostgresOperation,
  ): Optional<Record<string, string>>
}

/** A metric of an instance. */
export interface InstanceMetric {
  /** For example `cnpg_hello_backups_total`. */
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'untyped'
  /** Names of labels; each sample has a value for each. */
  readonly labels?: readonly string[]
  readonly constantLabels?: Readonly<Record<string, string>>
}

/** A sample of a metric. */
export interface InstanceSample {
  /** The name of a metric that is defined. */
  readonly name: string
  readonly value: number
  readonly labels?: Readonly<Record<string, string>>
}

/** The metrics of instances. */
export interface MetricsHook<P = Record<string, string>> {
  readonly metrics: readonly InstanceMetric[]
  /** Runs at each scrape. */
  collect(ctx: CnpgHookContext<P>): Awaitable<readonly InstanceSample[]>
}
