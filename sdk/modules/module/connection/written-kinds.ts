// The kinds of the objects that a manager has written for its Module and that Kubernetes does not delete with it. The
// status records them; after the uninstallation, the operator looks for leftover objects of these kinds.
import { apiVersionOf, type Resource } from '../../../engine/kube/resource.js'
import type { ModuleStatus } from '../../kinds/module.js'

/** The maximum number of kinds in a status. */
export const maxKinds = 50

/** A kind as a text, such as `apps/v1 Deployment`. */
export const kindText = (resource: Pick<Resource, 'group' | 'version' | 'kind'>): string =>
  `${apiVersionOf(resource)} ${resource.kind}`

/** Adds kinds to a status. A status that already has all of them stays as it is. */
export function recordKinds(status: Pick<ModuleStatus, 'kinds'>, written: ReadonlySet<string>): void {
  const recordedKinds = status.kinds ?? []
  const all = [...new Set([...recordedKinds, ...written])].slice(0, maxKinds)
  if (all.length > recordedKinds.length) status.kinds = all
}
