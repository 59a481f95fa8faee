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
   * Withholds the watch events of a step until the next step is over. `late` then delivers them; `lost` breaks the
   * watches and compacts the history, so that the plugin must list again.
   */
  | { readonly type: 'late' | 'lost'; readonly cluster: FaultedWatches; readonly step: number }
  /** Delivers the watch events of a step twice. */
  | { readonly type: 'repeated'; readonly cluster: FaultedWatches; readonly step: number }
  /** Breaks all watches when the n-th write is answered. Operators only. */
  | { readonly type: 'cut'; readonly write: number }
  /** Makes another replica the leader at the n-th write, while the old process still runs. Operators only. */
  | { readonly type: 'handover'; readonly write: number; readonly when: HandoverPhase }
  /** A user deletes the primary object and creates it again, just before the n-th write is sent. Operators only. */
  | { readonly type: 'recreate'; readonly write: number }
  /**
   * A user takes the last change of the primary objects back just before the n-th write, and makes it again. Operators
   * only.
   */
  | { readonly type: 'flip'; readonly write: number; readonly when: FlipPhase }
  /**
   * Kills the process at its n-th write. Later processes run the next release after an `upgrade`, the first release
   * after a `downgrade`. Operators only.
   */
  | { readonly type: 'upgrade' | 'downgrade'; readonly write: number; readonly when: CrashPhase }
  /** Kills the process after a step, once it has settled. Later processes run the first release. Operators only. */
  | { readonly type: 'rollback'; readonly step: number }

/** The watches that a fault concerns: those of a cluster, `host`, or those of one kind in it, `main/deployments`. */
export type FaultedWatches = string

/**
 * How the old leader continues after a handover: `running` until its leadership ends, because it cannot renew its Lease
 * any more; or `held`, with its write on the network until the new leader is idle.
 */
export type HandoverPhase = 'running' | 'held'

/** All handover phases. */
export const handoverPhases: readonly HandoverPhase[] = ['running', 'held']

/**
 * When a user makes a change again that a `flip` took back: before the next write (`soon`), or once the operator has
 * settled.
 */
export type FlipPhase = 'soon' | 'later'

/** All flip phases. */
export const flipPhases: readonly FlipPhase[] = ['soon', 'later']

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
  if ('when' in fault) return `${type}:${fault.write}:${fault.when}`
  if ('write' in fault) return `${type}:${fault.write}`
  if ('call' in fault) return `${type}:${fault.call}:${fault.code}`
  return 'cluster' in fault ? `${type}:${fault.cluster}:${fault.step}` : `${type}:${fault.step}`
}

/** Parses a schedule that {@link formatFaults} wrote. Throws for any other text. */
export function parseFaults(schedule: string): InjectedFault[] {
  return schedule.split(',').map(parseFault)
}

function parseFault(text: string): InjectedFault {
  const [type = '', first = '', second = ''] = text.split(':')
  const number = Number(first)
  const fault = isCount(number)
    ? (parseAtWrite(type, number, second) ?? parseAtStep(type, number, second))
    : parseWatchFault(type, first, Number(second))
  if (fault) return fault
  throw new Error(`"${text}" is not a fault; pass the schedule of a failure, for example crash:3:unanswered`)
}

function parseAtWrite(type: string, write: number, phase: string): InjectedFault | undefined {
  const when = crashPhases.find((candidate) => candidate === phase)
  if ((type === 'crash' || type === 'upgrade' || type === 'downgrade') && when) return { type, write, when }
  const handover = handoverPhases.find((candidate) => candidate === phase)
  if (type === 'handover' && handover) return { type, write, when: handover }
  const flip = flipPhases.find((candidate) => candidate === phase)
  if (type === 'flip' && flip) return { type, write, when: flip }
  return type === 'drop' || type === 'cut' || type === 'recreate' ? { type, write } : undefined
}

function parseAtStep(type: string, number: number, second: string): InjectedFault | undefined {
  if (type === 'restart' || type === 'down' || type === 'rollback') return { type, step: number }
  const code = Number(second)
  return type === 'refuse' && code >= 400 ? { type, call: number, code } : undefined
}

function parseWatchFault(type: string, cluster: string, step: number): InjectedFault | undefined {
  const isWatchFault = type === 'late' || type === 'lost' || type === 'repeated'
  return isWatchFault && cluster !== '' && isCount(step) ? { type, cluster, step } : undefined
}

const isCount = (value: number) => Number.isInteger(value) && value > 0

/**
 * Whether the plugin still observes every object under these faults. If so, each object must be created and deleted as
 * often as in the reference run. A plugin that did not observe a short-lived object rightly does nothing for it.
 */
export function observesEveryObject(faults: readonly InjectedFault[]): boolean {
  return faults.every(({ type }) => ['crash', 'restart', 'drop', 'refuse', 'cut', 'handover'].includes(type))
}
