import type { KubeObject } from '../kube/object.js'
import type { ConditionView } from './controller-explanation.js'

/** Conditions that say that an object is at work. */
const readyTypes: readonly string[] = ['Ready', 'Available', 'Established', 'Complete']

/** The members of a status that kinds with conditions and replicas have in common. */
interface CommonStatus {
  readonly conditions?: unknown
  readonly replicas?: unknown
  readonly readyReplicas?: unknown
}

const statusOf = (object: KubeObject) => (object as { status?: CommonStatus }).status ?? {}

/** The conditions of an object. Users can write anything there, so the rest is left out. */
export function conditionsOf(object: KubeObject): ConditionView[] {
  const { conditions } = statusOf(object)
  return Array.isArray(conditions) ? conditions.filter(isCondition).map(conditionView) : []
}

interface Condition {
  readonly type: string
  readonly status: string
  readonly reason?: unknown
  readonly message?: unknown
  readonly lastTransitionTime?: unknown
}

function isCondition(value: unknown): value is Condition {
  const { type, status } = (value ?? {}) as Partial<Condition>
  return typeof type === 'string' && typeof status === 'string'
}

function conditionView({ type, status, reason, message, lastTransitionTime }: Condition): ConditionView {
  return {
    type,
    status,
    reason: text(reason),
    message: text(message),
    atMs: Date.parse(text(lastTransitionTime)) || null,
  }
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** Why an object is not ready; null if it is, or if its kind does not say. */
export function readyProblem(object: KubeObject): string | null {
  if (object.metadata.deletionTimestamp !== undefined) return 'is being deleted'
  const unmet = conditionsOf(object).find(
    ({ type, status }) => readyTypes.includes(type) && status !== 'True',
  )
  if (unmet) return `${unmet.type} is ${unmet.status}${unmet.reason && ` (${unmet.reason})`}`
  const { replicas, readyReplicas = 0 } = statusOf(object)
  const wanted = (object as { spec?: { replicas?: unknown } }).spec?.replicas ?? replicas
  const isShort = typeof wanted === 'number' && typeof readyReplicas === 'number' && readyReplicas < wanted
  return isShort ? `${readyReplicas} of ${wanted} replicas are ready` : null
}

/** Whether an object says that it is ready, or that it is not. */
export function statesReadiness(object: KubeObject): boolean {
  const { replicas, readyReplicas } = statusOf(object)
  return (
    typeof (readyReplicas ?? replicas) === 'number' ||
    conditionsOf(object).some(({ type }) => readyTypes.includes(type))
  )
}
