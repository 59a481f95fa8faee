import { decodeObject } from '../calls/decode.js'
import { restoreJobHooksMethods } from '../calls/methods.js'
import { type ServedMethod, serveMethods } from '../calls/service.js'
import type { CnpgCluster } from '../cluster/cluster.js'
import { CallContext } from '../context/call-context.js'
import { RestoreJobHooksCapability_Kind as Kind } from '../proto/gen/restore-job.js'
import { notDeclaredError } from './not-declared.js'
import type { RegisteredHooks } from './registered-hooks.js'

/** The service for restore jobs. */
export function restoreJobService<P>(hooks: RegisteredHooks<P>): ServedMethod[] {
  return serveMethods(restoreJobHooksMethods, {
    getCapabilities: () => ({ capabilities: hooks.restoreJob ? [{ kind: Kind.KIND_RESTORE }] : [] }),
    async restore({ clusterDefinition, checkEmptyWalArchive }, call) {
      if (!hooks.restoreJob) throw notDeclaredError(hooks.name, 'RestoreJobHooks.Restore')
      const cluster = decodeObject<CnpgCluster>(clusterDefinition, 'cluster_definition')
      const ctx = new CallContext(hooks, { cluster, call })
      const { config, env = {} } = await hooks.restoreJob.restore(ctx, {
        checkEmptyArchive: checkEmptyWalArchive,
      })
      return { restoreConfig: config, envs: Object.entries(env).map(([name, value]) => `${name}=${value}`) }
    },
  })
}
