import type { Side } from '../../sdk/context/register-context.js'

/**
 * One thing that goes wrong. Writes and calls are counted from 1 over all the plugin's lives, steps from 1 as the
 * scenario lists them.
 */
export type Disturbance =
  /** The process dies at its n-th write: before it is sent, when it is done but not answered, or once it is answered. */
  | { readonly type: 'crash'; readonly write: number; readonly when: CrashPhase }
  /** The process is stopped and started when it has come to rest after a step. */
  | { readonly type: 'restart'; readonly step: number }
  /** The process is down during a step: it sees only what is left of it. */
  | { readonly type: 'down'; readonly step: number }
  /** The n-th write is done, and the connection breaks before the answer. */
  | { readonly type: 'drop'; readonly write: number }
  /** The n-th call is refused with a status. */
  | { readonly type: 'refuse'; readonly call: number; readonly code: number }
  /**
   * What happens in one cluster during a step is not told by its watches until the next step is over: then it comes
   * `late`, or not at all (`lost`: the history is gone and the plugin must list anew).
   */
  | { readonly type: 'late' | 'lost'; readonly cluster: Side; readonly step: number }
  /** What happens in one cluster during a step is told twice. */
  | { readonly type: 'repeated'; readonly cluster: Side; readonly step: number }

/** Where in a write the process dies. */
export type CrashPhase = 'before' | 'unanswered' | 'after'

/** The phases in the order of time. */
export const crashPhases: readonly CrashPhase[] = ['before', 'unanswered', 'after']

/** Disturbances as text, for messages and for {@link parseDisturbances}: `crash:3:unanswered,late:host:1`. */
export function formatDisturbances(disturbances: readonly Disturbance[]): string {
  return disturbances.map(formatDisturbance).join(',')
}

function formatDisturbance(disturbance: Disturbance): string {
  const { type } = disturbance
  if (type === 'crash') return `crash:${disturbance.write}:${disturbance.when}`
  if (type === 'restart' || type === 'down') return `${type}:${disturbance.step}`
  if (type === 'drop') return `drop:${disturbance.write}`
  if (type === 'refuse') return `refuse:${disturbance.call}:${disturbance.code}`
  return `${type}:${disturbance.cluster}:${disturbance.step}`
}

/** Reads what {@link formatDisturbances} wrote. Throws for anything else. */
export function parseDisturbances(text: string): Disturbance[] {
  return text.split(',').map(parseDisturbance)
}

function parseDisturbance(text: string): Disturbance {
  const [type = '', first = '', second = ''] = text.split(':')
  const number = Number(first)
  const when = crashPhases.find((phase) => phase === second)
  if (type === 'crash' && isCount(number) && when) return { type, write: number, when }
  if ((type === 'restart' || type === 'down') && isCount(number)) return { type, step: number }
  if (type === 'drop' && isCount(number)) return { type, write: number }
  if (type === 'refuse' && isCount(number) && Number(second) >= 400)
    return { type, call: number, code: Number(second) }
  const isWatchFault = type === 'late' || type === 'lost' || type === 'repeated'
  const cluster = (['virtual', 'host'] as const).find((side) => side === first)
  if (isWatchFault && cluster && isCount(Number(second))) return { type, cluster, step: Number(second) }
  throw new Error(
    `"${text}" is no disturbance; take one that a failure has printed, such as crash:3:unanswered`,
  )
}

const isCount = (value: number) => Number.isInteger(value) && value > 0

/**
 * Whether every object must be created and deleted as often as undisturbed. A plugin that did not see an object that
 * came and went rightly does nothing for it; one that only died or was refused did see it.
 */
export function leavesNothingUnseen(disturbances: readonly Disturbance[]): boolean {
  return disturbances.every(({ type }) => ['crash', 'restart', 'drop', 'refuse'].includes(type))
}
