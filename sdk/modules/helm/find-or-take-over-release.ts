import type { OwnedRelease } from '../../helm/operations/owned-release.js'
import type { HelmCall } from './helm-call.js'
import { type ReleaseKey, renderReleaseKey } from './render-helm-spec.js'

/** The release of a Module: its key, and the object that installs and changes it. */
export interface ModuleRelease {
  readonly key: ReleaseKey
  readonly owned: OwnedRelease
}

/**
 * The release that a Module has installed or adopted; undefined if it has none. A release that the former operator
 * installed is taken over and recorded first.
 */
export async function findOrTakeOverRelease(call: HelmCall): Promise<ModuleRelease | undefined> {
  const { recorded, formerName } = call
  if (recorded) return { key: recorded, owned: call.release(recorded) }
  if (formerName === undefined) return undefined
  const { namespace } = renderReleaseKey({ ...call.module.spec, releaseName: formerName }, call.specOwner)
  const key = { name: formerName, namespace }
  const owned = call.release(key)
  await owned.takeOver()
  call.record(key)
  return { key, owned }
}
