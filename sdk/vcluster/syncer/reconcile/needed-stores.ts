import type { RegisterContext } from '../../context/register-context.js'
import { hostScopes } from '../../ownership/host-objects.js'
import type { Reconciler } from '../reconciler.js'
import { Syncer } from '../syncer.js'
import { ExtraWatches } from './extra-watches.js'
import { indexImports } from './imports.js'

/** Creates the stores that a syncer reads, so that they are filled before its first run. */
export function requestStores(reconciler: Reconciler, ctx: RegisterContext): void {
  ctx.virtual.store(reconciler.resource)
  if (!(reconciler instanceof Syncer)) return
  for (const scope of hostScopes(reconciler)) ctx.host.store(reconciler.resource, scope)
}

/** Adds the indices that the SDK itself reads, once, before the first run. */
export function indexStores(reconciler: Reconciler, ctx: RegisterContext): void {
  if (reconciler instanceof Syncer) indexImports(reconciler, ctx)
}

/**
 * Creates all stores of a syncer, including those for `modifyController`, which are normally created when the syncer
 * starts.
 */
export function requestAllStores(reconciler: Reconciler, ctx: RegisterContext): void {
  requestStores(reconciler, ctx)
  reconciler.modifyController?.(new ExtraWatches(ctx, reconciler.name), ctx)
}
