import type { RegisterContext } from '../context/register-context.js'
import { hostScopes } from '../syncer/host-objects.js'
import type { Syncer } from '../syncer/syncer.js'
import type { House } from './wire.js'

/**
 * What happens between winning leadership and the first run, in the Go SDK's order (`plugin/plugin.go` @
 * vcluster-sdk v0.4.2): every `init`, every `registerIndices`, then the caches of all kinds, on both sides.
 * Rejects with the signal's reason as soon as it aborts between two steps.
 */
export async function prepare(syncers: Iterable<Syncer>, house: House, signal: AbortSignal): Promise<void> {
  const all = [...syncers]
  for (const step of ['init', 'registerIndices'] as const) {
    for (const syncer of all) {
      await syncer[step]?.(house.ctx)
      signal.throwIfAborted()
    }
  }
  for (const syncer of all) askForStores(syncer, house.ctx)
  for (const cluster of [house.virtual, house.host]) cluster.start(signal)
  await Promise.all([house.virtual.whenSynced(signal), house.host.whenSynced(signal)])
}

/** A store exists once it is asked for; a kind that is asked for here is listed before the first run. */
function askForStores(syncer: Syncer, ctx: RegisterContext): void {
  ctx.virtual.store(syncer.resource)
  for (const scope of hostScopes(syncer)) ctx.host.store(syncer.resource, scope)
}
