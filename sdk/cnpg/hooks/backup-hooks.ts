import type { DeepReadonly } from '../../engine/kube/deep-readonly.js'
import type { Backup } from '../cluster/cluster.js'
import type { CnpgHookContext, ReconcileContext, ReconcileStop } from '../context/contexts.js'
import type { Awaitable, Optional } from './optional.js'

/** A base backup that was taken. */
export interface TakenBackup {
  backupId: string
  backupName: string
  startedAt: Date
  stoppedAt: Date
  beginWal?: string
  endWal?: string
  beginLsn?: string
  endLsn?: string
  backupLabelFile?: Uint8Array
  tablespaceMapFile?: Uint8Array
  instanceId?: string
  /** Whether Postgres kept running during the backup. */
  online?: boolean
  metadata?: Record<string, string>
}

/** Hooks for Backups. */
export interface BackupHooks<P = Record<string, string>> {
  /** Takes a base backup. Runs in an instance Pod, for a Backup with `method: plugin`. */
  backup?(ctx: CnpgHookContext<P>, backup: DeepReadonly<Backup>): Awaitable<TakenBackup>
  /** Runs before a Backup is reconciled, in the operator. */
  preReconcile?(ctx: ReconcileContext<P>, backup: DeepReadonly<Backup>): Optional<ReconcileStop>
  /** Runs after a Backup was reconciled, in the operator. */
  postReconcile?(ctx: ReconcileContext<P>, backup: DeepReadonly<Backup>): Optional<ReconcileStop>
}
