import { askForStores, indexStores } from '../syncer/reconcile/course.js'
import { Reconciler } from '../syncer/reconciler.js'
import type { Registrant } from '../syncer/registrant.js'
import type { House } from './wire.js'

/** Options of {@link prepare}. */
export interface PrepareOptions {
  /** Calls what a syncer does for itself when it begins to lead. */
  begin: <T>(work: () => Promise<T>) => Promise<T>
  signal: AbortSignal
  /** Rejects where the plugin may not do what was asked for so far; a list that is refused would be waited for. */
  permit: () => Promise<void>
}

/**
 * What happens between winning leadership and the first run, in the Go SDK's order (`plugin/plugin.go` @
 * vcluster-sdk v0.4.2): every `init`, every `registerIndices`, then the caches of all kinds, on both sides. A kind that is
 * not served holds up its own syncers alone.
 * Rejects with the signal's reason as soon as it aborts between two steps.
 */
export async function prepare(
  registrants: Iterable<Registrant>,
  house: House,
  { begin, signal, permit }: PrepareOptions,
): Promise<void> {
  const all = [...registrants]
  for (const step of ['init', 'registerIndices'] as const) {
    for (const registrant of all) {
      await begin(async () => registrant[step]?.(house.ctx))
      signal.throwIfAborted()
    }
  }
  // A kind that is asked for here is listed before the first run.
  for (const one of all) if (one instanceof Reconciler) indexStores(one, house.ctx)
  await permit()
  await fillStores(all, house, signal)
}

/**
 * Fills the stores of every syncer, and of whatever was asked for, and resolves when they hold their first lists. Stores
 * that are filled or being filled already go on; a kind asked for later is listed then.
 */
export async function fillStores(
  registrants: Iterable<Registrant>,
  { ctx, virtual, host }: House,
  signal: AbortSignal,
): Promise<void> {
  for (const one of registrants) if (one instanceof Reconciler) askForStores(one, ctx)
  for (const cluster of [virtual, host]) cluster.start(signal)
  await Promise.all([virtual.whenAnswered(signal), host.whenAnswered(signal)])
}
