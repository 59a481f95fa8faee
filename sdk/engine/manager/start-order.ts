import type { ClusterRuntime } from '../cluster/cluster-runtime.js'
import type { Deadline, Unit } from './unit.js'

/** Options of {@link prepareUnits}. */
export interface PrepareOptions {
  clusters: readonly ClusterRuntime[]
  signal: AbortSignal
  /** The time until which `init` and `registerIndices` may write; default the deadline of the process. */
  deadline?: Deadline
  /** Rejects if a permission is missing for what was requested so far; a list that is refused would be waited for. */
  checkPermissions: () => Promise<void>
}

/**
 * The steps between winning leadership and the first run, in the order of the Go SDK (`plugin/plugin.go` @ vcluster-sdk
 * v0.4.2): every `init`, every `registerIndices`, then the caches of all kinds in all clusters. A kind that is not
 * served, or that the program may not list, delays only its own controllers. Rejects with the signal's reason if the
 * signal aborts between two steps.
 */
export async function prepareUnits(units: readonly Unit[], options: PrepareOptions): Promise<void> {
  const { clusters, signal, deadline, checkPermissions } = options
  for (const step of ['init', 'registerIndices'] as const) {
    for (const unit of units) {
      await unit[step]?.(deadline)
      signal.throwIfAborted()
    }
  }
  // A kind that is requested here is listed before the first run.
  for (const unit of units) unit.indexStores?.()
  await checkPermissions()
  await fillStores(units, clusters, signal)
}

/**
 * Fills the stores of every unit, and every other store that was requested, and resolves when they hold their first
 * lists. Stores that are filled already, or are being filled, continue; a kind that is requested later is listed then.
 */
export async function fillStores(
  units: readonly Unit[],
  clusters: readonly ClusterRuntime[],
  signal: AbortSignal,
): Promise<void> {
  for (const unit of units) unit.requestStores?.()
  for (const cluster of clusters) cluster.start(signal)
  await Promise.all(clusters.map((cluster) => cluster.whenAnswered(signal)))
}
