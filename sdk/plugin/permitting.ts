import { askForStores } from '../syncer/reconcile/course.js'
import { Reconciler } from '../syncer/reconciler.js'
import type { Registrant } from '../syncer/registrant.js'
import { describeHouse } from './describe-house.js'
import type { Mode } from './mode.js'
import { PermissionCheck, type PermissionCheckOptions } from './permission-check.js'
import { permissionsOf } from './permissions.js'
import type { House } from './wire.js'

/** What {@link permitting} goes by. */
export interface PermittingOptions extends Pick<PermissionCheckOptions, 'missing' | 'logger' | 'signal'> {
  house: House
  registrants: ReadonlyMap<string, Registrant>
  mode: Mode
}

/**
 * Makes a look at whether the plugin may do what it is known to need by then; each look asks for what is new. Rejects as
 * {@link PermissionCheck.check} does.
 */
export function permitting({ house, registrants, mode, ...options }: PermittingOptions): () => Promise<void> {
  const { virtual, host, facts } = house.session
  const check = new PermissionCheck({ ...options, virtual, host, targetNamespace: facts.targetNamespace })
  const hasOwner = facts.ownerService !== undefined
  const { isShared = false } = house.session
  return async () => {
    for (const one of registrants.values()) if (one instanceof Reconciler) askForStores(one, house.ctx)
    await check.check(permissionsOf(describeHouse(house, registrants.values()), { mode, hasOwner, isShared }))
  }
}
