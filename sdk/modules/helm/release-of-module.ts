import type { OwnedRelease } from '../../helm/operations/owned-release.js'
import type { HelmCall } from './helm-call.js'
import { type ReleaseKey, renderReleaseKey } from './render-helm-spec.js'

/** The release of a Module, and its name. */
export interface ModuleRelease {
  readonly release: ReleaseKey
  readonly owned: OwnedRelease
}

/**
 * The release that a Module has installed or adopted; undefined without one. A release of the former operator is taken
 * over.
 */
export async function releaseOfModule(call: HelmCall): Promise<ModuleRelease | undefined> {
  const { recorded, formerName } = call
  if (recorded) return { release: recorded, owned: call.release(recorded) }
  if (formerName === undefined) return undefined
  const { namespace } = renderReleaseKey({ ...call.module.spec, releaseName: formerName }, call.specOwner)
  const release = { name: formerName, namespace }
  const owned = call.release(release)
  await owned.takeOver()
  call.record(release)
  return { release, owned }
}
