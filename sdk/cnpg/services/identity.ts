import { identityMethods } from '../calls/methods.js'
import { type ServedMethod, serveMethods } from '../calls/service.js'
import { hasWalHooks } from '../hooks/wal-hooks.js'
import {
  type GetPluginMetadataResponse,
  PluginCapability_Service_Type as Type,
} from '../proto/gen/identity.js'
import type { RegisteredHooks } from './registered-hooks.js'

/** The metadata of the plugin and its services. `checkReady` throws if the plugin cannot be used. */
export function identityService<P>(hooks: RegisteredHooks<P>, checkReady: () => void): ServedMethod[] {
  return serveMethods(identityMethods, {
    getPluginMetadata: () => metadataOf(hooks),
    getPluginCapabilities: () => ({
      capabilities: servicesOf(hooks).map((type) => ({ service: { type } })),
    }),
    probe: () => {
      checkReady()
      return { ready: true }
    },
  })
}

/** The metadata of the plugin, with empty texts for missing ones. */
function metadataOf<P>({ metadata }: RegisteredHooks<P>): GetPluginMetadataResponse {
  const {
    name,
    version,
    displayName = name,
    description = '',
    projectUrl = '',
    repositoryUrl = '',
  } = metadata
  const { license = '', licenseUrl = '', maturity = 'alpha', vendor = '' } = metadata
  const texts = { name, version, displayName, description, projectUrl, repositoryUrl, license, licenseUrl }
  return { ...texts, maturity, vendor, manifest: {} }
}

/** The services that the plugin declares to the operator, by its hooks. */
function servicesOf<P>(hooks: RegisteredHooks<P>): Type[] {
  const { cluster, backups, wal, sidecars } = hooks
  const declarations: readonly (readonly [Type, unknown])[] = [
    [
      Type.TYPE_OPERATOR_SERVICE,
      hooks.hasParameters ||
        (cluster.default ?? cluster.validateCreate ?? cluster.validateChange ?? cluster.status),
    ],
    [Type.TYPE_WAL_SERVICE, hasWalHooks(wal)],
    [Type.TYPE_BACKUP_SERVICE, backups.backup],
    [Type.TYPE_LIFECYCLE_SERVICE, hooks.kinds.size > 0],
    [
      Type.TYPE_RECONCILER_HOOKS,
      [cluster, backups].some((kindHooks) => kindHooks.preReconcile ?? kindHooks.postReconcile),
    ],
    [Type.TYPE_RESTORE_JOB, hooks.restoreJob],
    [Type.TYPE_POSTGRES, hooks.postgres],
    [Type.TYPE_INSTANCE_SIDECAR_INJECTION, sidecars.instances],
    [Type.TYPE_INSTANCE_JOB_SIDECAR_INJECTION, sidecars.jobs],
    [Type.TYPE_METRICS, hooks.metrics],
  ]
  return declarations.filter(([, served]) => served).map(([type]) => type)
}
