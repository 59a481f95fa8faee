import { requestStores } from '../syncer/reconcile/needed-stores.js'
import { Reconciler } from '../syncer/reconciler.js'
import type { Runnable } from '../syncer/runnable.js'
import { describeWiring } from './describe-wiring.js'
import type { Mode } from './mode.js'
import { type MissingPermissions, PermissionCheck, type PermissionCheckOptions } from './permission-check.js'
import { permissionsOf } from './permissions.js'
import type { Wiring } from './wire.js'

/** Options of {@link permitting}. */
export interface PermittingOptions extends Pick<PermissionCheckOptions, 'logger' | 'signal'> {
  wiring: Wiring
  /** The reaction to missing permissions; default `fail`. */
  missing: MissingPermissions | undefined
  runnables: Iterable<Runnable>
  mode: Mode
}

/**
 * Returns a function that checks the permissions that the plugin is known to need when it is called. A later call
 * checks only new permissions. Rejects as {@link PermissionCheck.check} does. In sessions without a permission check it
 * does nothing.
 */
export function permitting(options: PermittingOptions): () => Promise<void> {
  const { wiring, runnables, mode, missing = 'fail', ...observed } = options
  if (!wiring.session.asksPermissions || missing === 'ignore') return async () => {}
  const { virtual, host, facts } = wiring.session
  const { targetNamespace } = facts
  const check = new PermissionCheck({ ...observed, missing, virtual, host, targetNamespace })
  const hasOwner = facts.ownerService !== undefined
  const { isShared = false } = wiring.session
  return async () => {
    for (const runnable of runnables) if (runnable instanceof Reconciler) requestStores(runnable, wiring.ctx)
    await check.check(permissionsOf(describeWiring(wiring, runnables), { mode, hasOwner, isShared }))
  }
}
