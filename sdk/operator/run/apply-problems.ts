import { PermanentError } from '../../engine/kube/error.js'
import { formatResource } from '../../engine/kube/resource.js'
import type { ApplyRequest } from '../apply/apply-request.js'
import { membersOf, valueAt } from '../apply/hand-over.js'
import type { WiredOwned } from '../controller/wired-controller.js'

/** The error for an apply of an optional kind that is not served. */
export function notServed({ cluster, resource }: Pick<ApplyRequest, 'cluster' | 'resource'>): Error {
  return new Error(
    `ctx.apply: cluster ${cluster.name} does not serve ${formatResource(resource)}, which the controller declares as optional: ask ` +
      'ctx.serves first.',
  )
}

/** Throws for fields that are applied and released at once. */
export function checkReleased(intent: object, release: readonly string[]): void {
  const applied = release.filter((path) => valueAt(intent, membersOf(path)) !== undefined)
  if (applied.length > 0)
    throw new PermanentError(
      `ctx.apply: ${applied.join(', ')} is released and applied: leave it out of the object, or out of release`,
    )
}

/** An object that the cache cannot hold would be applied in each run, and never be deleted. */
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
export function undeclared(
  controller: string,
  { cluster, resource }: Pick<ApplyRequest, 'cluster' | 'resource'>,
): PermanentError {
  return new PermanentError(
    `ctx.apply: controller ${controller} does not own ${formatResource(resource)} of cluster ${cluster.name}. Add the kind to ` +
      'owns, or pass { shared: true } to write fields of an object that others own.',
  )
}
