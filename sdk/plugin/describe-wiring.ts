import { isUnitSource } from '../manager/unit-source.js'
import { requestAllStores } from '../syncer/reconcile/needed-stores.js'
import { Reconciler } from '../syncer/reconciler.js'
import type { Runnable } from '../syncer/runnable.js'
import { describePlugin, type PluginDescription } from './description.js'
import type { Wiring } from './wire.js'

/** Describes the registrations, with every kind that was requested so far. */
export function describeWiring(
  { ctx, host, virtual }: Wiring,
  runnables: Iterable<Runnable>,
): PluginDescription {
  const reads = { hostReads: host.reads, virtualReads: virtual.reads }
  return describePlugin({ name: ctx.pluginName, runnables, ...reads })
}

/** Prints the description instead of a start, on a line of its own, because programs may print before it. */
export async function printDescription(runnables: Iterable<Runnable>, wiring: Wiring): Promise<void> {
  for (const one of runnables) if (one instanceof Reconciler) requestAllStores(one, wiring.ctx)
  for (const one of runnables) if (isUnitSource(one)) await one.findPermissions()
  process.stdout.write(`${JSON.stringify(describeWiring(wiring, runnables))}\n`)
}
