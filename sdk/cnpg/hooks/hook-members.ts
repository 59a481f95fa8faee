import { checkOptions, type OptionTypes } from '../../engine/manager/check-options.js'
import type { BackupHooks } from './backup-hooks.js'
import type { ClusterHooks } from './cluster-hooks.js'
import type { MetricsHook, PostgresHook, RestoreJobHook } from './instance-hooks.js'
import type { PodHook } from './object-hook.js'
import type { WalHooks } from './wal-hooks.js'

const objectMembers: OptionTypes<Omit<PodHook<never>, 'instance'>> = {
  create: 'any',
  update: 'any',
  patch: 'any',
  delete: 'any',
  evaluate: 'any',
}

/** The members of the hooks that each method of a plugin takes. */
const members: {
  cluster: OptionTypes<ClusterHooks>
  backups: OptionTypes<BackupHooks>
  wal: OptionTypes<WalHooks>
  restoreJob: OptionTypes<RestoreJobHook>
  postgres: OptionTypes<PostgresHook>
  metrics: OptionTypes<MetricsHook>
  objects: OptionTypes<Omit<PodHook<never>, 'instance'>>
  pods: OptionTypes<PodHook<never>>
} = {
  cluster: {
    default: 'any',
    validateCreate: 'any',
    validateChange: 'any',
    preReconcile: 'any',
    postReconcile: 'any',
    status: 'any',
  },
  backups: { backup: 'any', preReconcile: 'any', postReconcile: 'any' },
  wal: { archive: 'any', restore: 'any', status: 'any', setFirstRequired: 'any' },
  restoreJob: { restore: 'any' },
  postgres: { configuration: 'any' },
  metrics: { metrics: 'any', collect: 'any' },
  objects: objectMembers,
  pods: { ...objectMembers, instance: 'any' },
}

/** Throws a `TypeError` for hooks with a member that the operator never calls. An instance of a class may have some. */
export function checkHookMembers(method: keyof typeof members, hooks: object): void {
  checkOptions<Record<string, unknown>>(`plugin.${method}`, hooks, members[method])
}
