import { listNames } from '../../helm/reconciler/objects/release-object.js'
import { NotReadyError } from '../manager/not-ready-error.js'
import { findOrTakeOverRelease } from './find-or-take-over-release.js'
import type { HelmCall } from './helm-call.js'

/** Rejects with a {@link NotReadyError} unless all objects of the release of a Module are ready. */
export async function checkRelease(call: HelmCall): Promise<void> {
  const release = await findOrTakeOverRelease(call)
  if (!release) throw new NotReadyError('the metadata of the Module names no release')
  const unready = await release.owned.unreadyObjects()
  if (unready.length === 0) return
  throw new NotReadyError(`not ready: ${listNames(unready)}`)
}
