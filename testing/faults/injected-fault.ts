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
  | { readonly type: 'late' | 'lost'; readonly cluster: WatchScope; readonly step: number }
  /** Delivers the watch events of a step twice. */
  | { readonly type: 'repeated'; readonly cluster: WatchScope; readonly step: number }
  /** Breaks all watches when the n-th write is answered. Operators only. */
  | { readonly type: 'cut'; readonly write: number }
  /** Makes another replica the leader at the n-th write, while the old process still runs. Operators only. */
  | { readonly type: 'handover'; readonly write: number; readonly when: HandoverPhase }
  /** A user deletes the primary object and creates it again, just before the n-th write is sent. Operators only. */
  | { readonly type: 'recreate'; readonly write: number }

/** The watches that a fault concerns: those of a cluster, `host`, or those of one kind in it, `main/deployments`. */
export type WatchScope = string

/**
 * How the old leader continues after a handover: `running` until its leadership ends, because it cannot renew its Lease any
 * more; or `held`, with its write on the network until the new leader has come to rest.
 */
export type HandoverPhase = 'running' | 'held'

/** All handover phases. */
export const handoverPhases: readonly HandoverPhase[] = ['running', 'held']

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
  if (type === 'crash' || type === 'handover') return `${type}:${fault.write}:${fault.when}`
  if (type === 'restart' || type === 'down') return `${type}:${fault.step}`
  if (type === 'drop' || type === 'cut' || type === 'recreate') return `${type}:${fault.write}`
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
  if ((type === 'drop' || type === 'cut' || type === 'recreate') && isCount(number))
    return { type, write: number }
  const handover = handoverPhases.find((phase) => phase === second)
  if (type === 'handover' && isCount(number) && handover) return { type, write: number, when: handover }
  if (type === 'refuse' && isCount(number) && Number(second) >= 400)
    return { type, call: number, code: Number(second) }
  const isWatchFault = type === 'late' || type === 'lost' || type === 'repeated'
  if (isWatchFault && first !== '' && !isCount(number) && isCount(Number(second)))
    return { type, cluster: first, step: Number(second) }
  throw new Error(`"${text}" is not a fault; pass the schedule of a failure, for example crash:3:unanswered`)
}

const isCount = (value: number) => Number.isInteger(value) && value > 0

/**
 * Whether the plugin still observes every object under these faults. If so, each object must be created and deleted as
 * often as in the reference run. A plugin that did not observe a short-lived object rightly does nothing for it.
 */
export function observesEveryObject(faults: readonly InjectedFault[]): boolean {
  return faults.every(({ type }) => ['crash', 'restart', 'drop', 'refuse', 'cut', 'handover'].includes(type))
}
