import { isUnitSource } from '../../engine/manager/unit-source.js'
import { requestAllStores } from '../syncer/reconcile/needed-stores.js'
import { Reconciler } from '../syncer/reconciler.js'
import type { Runnable } from '../syncer/runnable.js'
import { describePlugin, type PluginDescription } from './description.js'
import type { PluginConfig } from './plugin-config.js'
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
  for (const runnable of runnables) if (runnable instanceof Reconciler) requestAllStores(runnable, wiring.ctx)
  for (const runnable of runnables) if (isUnitSource(runnable)) await runnable.findPermissions()
  const configSchema = await schemaOf(wiring.config)
  const description = { ...describeWiring(wiring, runnables), ...(configSchema && { configSchema }) }
  process.stdout.write(`${JSON.stringify(description)}\n`)
}

async function schemaOf({ schemas }: PluginConfig): Promise<object | undefined> {
  if (schemas.length === 0) return undefined
  const { inputSchema } = await import('./input-schema.js')
  return inputSchema(schemas)
}
