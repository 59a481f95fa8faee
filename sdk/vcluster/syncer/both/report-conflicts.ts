import type { SyncContext } from '../../context/sync-context.js'
import type { Decision } from './decide.js'

/** Logs and counts conflicts, without values, which may be secret. */
export function reportConflicts(
  { name }: { name: string },
  { logger, metrics }: SyncContext,
  decisions: readonly Decision[],
): void {
  const total = metrics.counter({
    name: 'sync_conflicts_total',
    help: 'Fields that both sides had changed, by the side whose change was kept.',
    labelNames: ['controller', 'side'],
  })
  for (const { path, winner, isConflict } of decisions) {
    if (!isConflict || !winner) continue
    total.add({ controller: name, side: winner })
    logger.warn({ field: formatPath(path), kept: winner }, 'both sides have changed this field; one is kept')
  }
}

/** The path of a field as text, for messages. */
export const formatPath = (path: readonly string[]) =>
  path.map((name) => (name.includes('.') ? `"${name}"` : name)).join('.')
