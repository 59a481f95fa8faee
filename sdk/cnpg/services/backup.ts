import type { DeepReadonly } from '../../engine/kube/deep-readonly.js'
import { freezeJson } from '../../engine/kube/json.js'
import { decodeObject } from '../calls/decode.js'
import { HookError } from '../calls/hook-error.js'
import { backupMethods } from '../calls/methods.js'
import { type ServedMethod, serveMethods } from '../calls/service.js'
import type { Backup, CnpgCluster } from '../cluster/cluster.js'
import { CallContext } from '../context/call-context.js'
import type { TakenBackup } from '../hooks/backup-hooks.js'
import { type BackupResult, BackupCapability_RPC_Type as Type } from '../proto/gen/backup.js'
import { notDeclaredError } from './not-declared.js'
import type { RegisteredHooks } from './registered-hooks.js'

/** The service for base backups. */
export function backupService<P>(hooks: RegisteredHooks<P>): ServedMethod[] {
  const { name, backups } = hooks
  return serveMethods(backupMethods, {
    getCapabilities: () => ({ capabilities: backups.backup ? [{ rpc: { type: Type.TYPE_BACKUP } }] : [] }),
    async backup({ clusterDefinition, backupDefinition, parameters }, call) {
      if (!backups.backup) throw notDeclaredError(name, 'Backup')
      const cluster = decodeObject<CnpgCluster>(clusterDefinition, 'cluster_definition')
      const backup = freezeJson(decodeObject<Backup>(backupDefinition, 'backup_definition'))
      const texts = Object.keys(parameters).length > 0 && { texts: parameters }
      const ctx = new CallContext(hooks, { cluster, call, ...texts })
      return resultOf(await backups.backup(ctx, backup as DeepReadonly<Backup>))
    },
  })
}

/** The answer of the service for a backup that a hook has taken. */
function resultOf({ startedAt, stoppedAt, ...taken }: TakenBackup): BackupResult {
  return {
    backupId: taken.backupId,
    backupName: taken.backupName,
    startedAt: toUnixSeconds('startedAt', startedAt),
    stoppedAt: toUnixSeconds('stoppedAt', stoppedAt),
    beginWal: taken.beginWal ?? '',
    endWal: taken.endWal ?? '',
    beginLsn: taken.beginLsn ?? '',
    endLsn: taken.endLsn ?? '',
    backupLabelFile: Buffer.from(taken.backupLabelFile ?? []),
    tablespaceMapFile: Buffer.from(taken.tablespaceMapFile ?? []),
    instanceId: taken.instanceId ?? '',
    online: taken.online ?? false,
    metadata: taken.metadata ?? {},
  }
}

function toUnixSeconds(field: string, time: Date): number {
  const value = Math.floor(time.getTime() / 1000)
  if (value >= 0) return value
  throw new HookError(`${field} of the backup must be a time after 1970`, { code: 'INTERNAL' })
}
