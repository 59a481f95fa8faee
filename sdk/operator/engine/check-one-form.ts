import { PluginError } from '../../engine/kube/error.js'
import { formatResource } from '../../engine/kube/resource.js'
import { type DeclaredScope, isSameKind } from '../controller/declared-scopes.js'

/** A controller that has no clusters yet. */
interface RegisteredController {
  readonly name: string
  readonly scopes: readonly DeclaredScope[]
}

/**
 * Refuses a controller that needs whole objects of a kind of which another one keeps the metadata alone, or the other
 * way round: two caches would need more memory than one cache of whole objects, and could show different revisions.
 *
 * @throws `PluginError` `INVALID_REGISTRATION`
 */
export function checkOneForm(added: RegisteredController, others: readonly RegisteredController[]): void {
  for (const other of others)
    for (const one of added.scopes) {
      const otherForm = other.scopes.find((scope) => isSameKind(scope, one) && isOtherForm(scope, one))
      if (otherForm)
        throw contradictionError(one, { added: placeOf(added, one), other: placeOf(other, otherForm) })
    }
}

function isOtherForm({ scope: one }: DeclaredScope, { scope: other }: DeclaredScope): boolean {
  return (one.metadataOnly ?? false) !== (other.metadataOnly ?? false)
}

function placeOf({ name }: RegisteredController, { place }: DeclaredScope): string {
  return `controller ${name}, ${place}`
}

function contradictionError(
  { resource, scope }: DeclaredScope,
  { added, other }: { added: string; other: string },
): PluginError {
  const [partial, whole] = scope.metadataOnly ? [added, other] : [other, added]
  return new PluginError(
    'INVALID_REGISTRATION',
    `${formatResource(resource)} are cached as metadata alone (${partial}) and as whole objects (${whole}): ` +
      'remove metadataOnly, or read no more than metadata in both',
  )
}
