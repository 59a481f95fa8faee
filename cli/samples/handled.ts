import type { KubeObject } from '../../sdk/engine/kube/object.js'

/** A condition of a status. */
export interface StatedCondition {
  type?: string
  status?: string
  reason?: string
  message?: string
}

/** Types of conditions that are true while work is left or there is a problem. */
const unfinished: ReadonlySet<string> = new Set([
  ...['Progressing', 'Reconciling', 'Stalled', 'Degraded'],
  ...['Irreconcilable', 'ReleaseFailed'],
])

/** The conditions in the status of an object. */
export function statedConditions(object: KubeObject): readonly StatedCondition[] {
  const { conditions } = Object((object as { status?: unknown }).status)
  return Array.isArray(conditions) ? conditions : []
}

/**
 * Whether an operator has handled an object: it is `Ready` or `Available`; without such a condition any of its
 * conditions is true that does not speak of work or trouble, or it has a status.
 */
export function isHandled(object: KubeObject): boolean {
  const conditions = statedConditions(object)
  const [main] = ['Ready', 'Available'].flatMap((type) =>
    conditions.filter((condition) => condition.type === type),
  )
  if (main) return main.status === 'True'
  if (conditions.length > 0)
    return conditions.some(({ type = '', status }) => status === 'True' && !unfinished.has(type))
  // Effects are recorded during a run, and the rest of the status at its end.
  const { effects: _, ...status } = Object((object as { status?: unknown }).status)
  return Object.keys(status).length > 0
}
