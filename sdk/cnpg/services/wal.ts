import type { Call } from '../calls/call.js'
import { decodeObject } from '../calls/decode.js'
import { walMethods } from '../calls/methods.js'
import { type ServedMethod, serveMethods } from '../calls/service.js'
import type { CnpgCluster } from '../cluster/cluster.js'
import { usedPlugin } from '../cluster/plugin-entry.js'
import { CallContext } from '../context/call-context.js'
import type { CnpgHookContext } from '../context/contexts.js'
import type { WalToRestore } from '../hooks/wal-hooks.js'
import {
  WALRestoreRequest_Mode as Mode,
  WALCapability_RPC_Type as Type,
  type WALRestoreRequest,
} from '../proto/gen/wal.js'
import { notDeclaredError } from './not-declared.js'
import type { RegisteredHooks } from './registered-hooks.js'

/** The service for the archive of the WAL. */
export function walService<P>(hooks: RegisteredHooks<P>): ServedMethod[] {
  const { name, wal } = hooks
  const contextOf = contextsOf(hooks)
  return serveMethods(walMethods, {
    getCapabilities: () => ({ capabilities: capabilitiesOf(hooks).map((type) => ({ rpc: { type } })) }),
    async archive({ clusterDefinition, parameters, sourceFileName, checkEmptyWalArchive }, call) {
      if (!wal.archive) throw notDeclaredError(name, 'WAL.Archive')
      const file = { file: sourceFileName, checkEmptyArchive: checkEmptyWalArchive }
      const ctx = contextOf(clusterDefinition, call, parameters)
      if (isArchiver(name, ctx)) await wal.archive(ctx, file)
      return {}
    },
    async restore({ clusterDefinition, parameters, ...request }, call) {
      if (!wal.restore) throw notDeclaredError(name, 'WAL.Restore')
      await wal.restore(contextOf(clusterDefinition, call, parameters), restoredFile(request))
      return {}
    },
    async status({ clusterDefinition }, call) {
      if (!wal.status) throw notDeclaredError(name, 'WAL.Status')
      const { firstWal, lastWal, information = {} } = await wal.status(contextOf(clusterDefinition, call))
      return { firstWal, lastWal, additionalInformation: information }
    },
    async setFirstRequired({ clusterDefinition, firstRequiredWal }, call) {
      if (!wal.setFirstRequired) throw notDeclaredError(name, 'WAL.SetFirstRequired')
      await wal.setFirstRequired(contextOf(clusterDefinition, call), firstRequiredWal)
      return {}
    },
  })
}

/** Makes the context of a call, from the Cluster and the parameters of its request. */
function contextsOf<P>(hooks: RegisteredHooks<P>) {
  return (definition: Buffer, call: Call, texts?: Record<string, string>) => {
    const cluster = decodeObject<CnpgCluster>(definition, 'cluster_definition')
    return new CallContext(hooks, { cluster, call, ...requestTexts(texts) })
  }
}

type WantedWal = Pick<WALRestoreRequest, 'sourceWalName' | 'destinationFileName' | 'mode'>

/** The WAL file that the hook has to restore. */
function restoredFile({ sourceWalName, destinationFileName, mode }: WantedWal): WalToRestore {
  return {
    name: sourceWalName,
    destination: destinationFileName,
    mode: mode === Mode.MODE_REWIND ? 'rewind' : 'recovery',
  }
}

/**
 * Whether the plugin archives the WAL of a Cluster. Instances call every plugin of the Cluster, not only its archiver.
 * The API server fills in `isWALArchiver: false`, so a Cluster without an explicit archiver has no archive, although
 * Postgres treats its files as archived.
 */
function isArchiver(name: string, { cluster, logger }: Pick<CnpgHookContext, 'cluster' | 'logger'>): boolean {
  if (usedPlugin(cluster, name)?.plugin.isWALArchiver !== false) return true
  const hasOther =
    cluster.spec.plugins?.some((plugin) => plugin.isWALArchiver && plugin.enabled !== false) ?? false
  const log = hasOther ? logger.debug : logger.warn
  const consequence = hasOther ? '' : ' and for no other: no file is archived'
  log.call(
    logger,
    {},
    `the file is not archived, because the Cluster has isWALArchiver: false for this plugin${consequence}`,
  )
  return false
}

/** The parameters of a request; none if the request has none, so that those of the Cluster are used. */
function requestTexts(texts: Record<string, string> | undefined) {
  return texts && Object.keys(texts).length > 0 ? { texts } : {}
}

/** The calls of this service that the plugin declares, by its hooks. */
function capabilitiesOf<P>({ wal }: RegisteredHooks<P>): Type[] {
  const declarations: readonly (readonly [Type, unknown])[] = [
    [Type.TYPE_ARCHIVE_WAL, wal.archive],
    [Type.TYPE_RESTORE_WAL, wal.restore],
    [Type.TYPE_STATUS, wal.status],
    [Type.TYPE_SET_FIRST_REQUIRED, wal.setFirstRequired],
  ]
  return declarations.filter(([, served]) => served).map(([type]) => type)
}
