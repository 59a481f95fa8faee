import type { Side } from '../../sdk/context/register-context.js'

/**
 * One fault that a run injects. Writes and calls are numbered from 1 across all processes of a run; steps are numbered
 * from 1 in the order of the scenario.
 */
export type InjectedFault =
  /** Kills the process at its n-th write. */
  | { readonly type: 'crash'; readonly write: number; readonly when: CrashPhase }
  /** Kills the process after a step, once it has settled, and starts a new one. */
  | { readonly type: 'restart'; readonly step: number }
  /** Kills the process before a step and starts a new one after it, which sees only the result of the step. */
  | { readonly type: 'down'; readonly step: number }
  /** Breaks the connection after the server has stored the n-th write, before the answer arrives. */
  | { readonly type: 'drop'; readonly write: number }
  /** Answers the n-th call with an error status instead of sending it. */
  | { readonly type: 'refuse'; readonly call: number; readonly code: number }
  /**
   * Withholds the watch events of a step until the next step is over. `late` then delivers them; `lost` breaks the watches
   * and compacts the history, so that the plugin must list again.
   */
  | { readonly type: 'late' | 'lost'; readonly cluster: Side; readonly step: number }
  /** Delivers the watch events of a step twice. */
  | { readonly type: 'repeated'; readonly cluster: Side; readonly step: number }

/**
 * The time of a crash relative to a write: `before` it is sent, `unanswered` (stored, but the answer did not
 * arrive), or `after` the answer arrived.
 */
export type CrashPhase = 'before' | 'unanswered' | 'after'

/** All crash phases in order of time. */
export const crashPhases: readonly CrashPhase[] = ['before', 'unanswered', 'after']

/** Formats faults as a schedule for messages and {@link parseFaults}: `crash:3:unanswered,late:host:1`. */
export function formatFaults(faults: readonly InjectedFault[]): string {
  return faults.map(formatFault).join(',')
}

function formatFault(fault: InjectedFault): string {
  const { type } = fault
  if (type === 'crash') return `crash:${fault.write}:${fault.when}`
  if (type === 'restart' || type === 'down') return `${type}:${fault.step}`
  if (type === 'drop') return `drop:${fault.write}`
  if (type === 'refuse') return `refuse:${fault.call}:${fault.code}`
  return `${type}:${fault.cluster}:${fault.step}`
}

/** Parses a schedule that {@link formatFaults} wrote. Throws for any other text. */
export function parseFaults(schedule: string): InjectedFault[] {
  return schedule.split(',').map(parseFault)
}

function parseFault(text: string): InjectedFault {
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
  throw new Error(`"${text}" is not a fault; pass the schedule of a failure, for example crash:3:unanswered`)
}

const isCount = (value: number) => Number.isInteger(value) && value > 0

/**
 * Whether the plugin still observes every object under these faults. If so, each object must be created and deleted as
 * often as in the reference run. A plugin that did not observe a short-lived object rightly does nothing for it.
 */
export function observesEveryObject(faults: readonly InjectedFault[]): boolean {
  return faults.every(({ type }) => ['crash', 'restart', 'drop', 'refuse'].includes(type))
}
