import { PermanentError } from '../../engine/kube/error.js'
import { valueAt } from '../../engine/kube/json-object.js'
import { formatResource } from '../../engine/kube/resource.js'
import type { ApplyRequest } from '../apply/apply-request.js'
import { membersOf } from '../apply/hand-over-body.js'
import type { WiredOwned } from '../controller/wired-controller.js'

/** The error for an apply of an optional kind that the cluster does not serve. */
export function notServedError({ cluster, resource }: Pick<ApplyRequest, 'cluster' | 'resource'>): Error {
  return new Error(
    `ctx.apply: cluster ${cluster.name} does not serve ${formatResource(resource)}, which the controller declares as optional: ask ` +
      'ctx.serves first.',
  )
}

/** Throws if a field is both in the applied object and in `release`. */
export function checkReleasedFields(intent: object, release: readonly string[]): void {
  const applied = release.filter((path) => valueAt(intent, membersOf(path)) !== undefined)
  if (applied.length > 0)
    throw new PermanentError(
      `ctx.apply: ${applied.join(', ')} is released and applied: leave it out of the object, or out of release`,
    )
}

/**
 * Throws if the selector of `owned(…)` does not select the object. The cache would not contain it, so each run would
 * apply it again, and no run would delete it.
 */
export function checkSelected(
  kind: WiredOwned,
  { resource, intent }: Pick<ApplyRequest, 'resource' | 'intent'>,
): void {
  if (kind.selects(intent)) return
  throw new PermanentError(
    `ctx.apply: ${formatResource(resource)} ${intent.metadata.name} is not selected by owned(…): give it the labels and ` +
      'fields of the selector, or make the selector wider',
  )
}

/** The error for an apply of a kind that the controller does not own. */
export function notOwnedError(
  controller: string,
  { cluster, resource }: Pick<ApplyRequest, 'cluster' | 'resource'>,
): PermanentError {
  return new PermanentError(
    `ctx.apply: controller ${controller} does not own ${formatResource(resource)} of cluster ${cluster.name}. Add the kind to ` +
      'owns, or pass { shared: true } to write fields of an object that others own.',
  )
}
