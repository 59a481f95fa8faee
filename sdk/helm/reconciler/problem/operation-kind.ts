import type { ReleaseStatus } from '../../release/release.js'
import type { HookEvent } from '../../render/release-hook.js'

/** The operations that make a revision. */
export type ReleaseOperation = 'install' | 'upgrade' | 'rollback'

/** The words of an operation: those of records and hooks are Helm's. */
interface OperationWords {
  readonly status: ReleaseStatus
  readonly before: HookEvent
  readonly after: HookEvent
  /** The beginning of the description of a failed record. */
  readonly subject: string
  /** The reason of the condition `Progressing`. */
  readonly progress: string
  /** The reason of the condition `Deployed`. */
  readonly deployed: string
  /** The reason of the Event of its end. */
  readonly ended: string
  /** The reason of the condition `ReleaseFailed`. */
  readonly error: string
  /** The reason of the Event of its failure. */
  readonly failed: string
}

/** The words of each kind of operation. */
export const operationWords: Readonly<Record<ReleaseOperation, OperationWords>> = {
  install: {
    status: 'pending-install',
    before: 'pre-install',
    after: 'post-install',
    subject: 'Release',
    progress: 'Installing',
    deployed: 'InstallSuccessful',
    ended: 'Installed',
    error: 'InstallError',
    failed: 'InstallFailed',
  },
  upgrade: {
    status: 'pending-upgrade',
    before: 'pre-upgrade',
    after: 'post-upgrade',
    subject: 'Upgrade',
    progress: 'Upgrading',
    deployed: 'UpgradeSuccessful',
    ended: 'Upgraded',
    error: 'UpgradeError',
    failed: 'UpgradeFailed',
  },
  rollback: {
    status: 'pending-rollback',
    before: 'pre-rollback',
    after: 'post-rollback',
    subject: 'Rollback',
    progress: 'RollingBack',
    deployed: 'RolledBack',
    ended: 'RolledBack',
    error: 'RollbackError',
    failed: 'RollbackFailed',
  },
}

/** Whether a value from a record names an operation. */
export const isReleaseOperation = (value: unknown): value is ReleaseOperation =>
  typeof value === 'string' && Object.hasOwn(operationWords, value)

/** The description of a revision that brings an earlier one back. */
export const rollbackDescription = (version: number) => `Rollback to ${version}`
