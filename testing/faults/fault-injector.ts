import type { TransportResponse } from '../../sdk/engine/transport/transport.js'
import { BrokenConnection, errorResponse } from './error-response.js'
import type { FaultSchedule } from './fault-schedule.js'
import { Handover } from './handover.js'
import type { HandoverPhase, InjectedFault } from './injected-fault.js'
import type { SimulatedProcess } from './simulated-process.js'
import type { WatchLags } from './watch-lags.js'

/** The actions of a user by which a run disturbs an operator. */
export interface UserActions {
  /** Looks at the objects that a user could change before the n-th write; default nothing. */
  observe?(n: number): Promise<void>
  /** For the fault `recreate`: deletes the primary objects and creates them again. Returns whether there is one. */
  recreate(): Promise<boolean>
  /** For the fault `flip`: takes the last change of the primary objects back. Returns whether there is one. */
  undo(): Promise<boolean>
  /** Makes the change again that {@link undo} took back, if any. */
  redo(): Promise<void>
}

/** Options of {@link FaultInjector}. */
export interface FaultInjectorOptions {
  faults: FaultSchedule
  /** The lags of the watches, which the fault `cut` breaks. */
  lags: Pick<WatchLags, 'breakAll'>
  /** The actions of a user before a write is sent. */
  user: UserActions
}

/** Injects the scheduled faults at the numbered calls and writes of a run. */
export class FaultInjector {
  readonly handover = new Handover()
  readonly #options: FaultInjectorOptions
  #isRedoneSoon = false

  constructor(options: FaultInjectorOptions) {
    this.#options = options
  }

  /** The response that replaces a call, if the call fails. */
  refusalOf(call: number): TransportResponse | undefined {
    const fault = this.#options.faults.take(
      (candidate) => candidate.type === 'refuse' && candidate.call === call,
    )
    return fault?.type === 'refuse' ? errorResponse(fault.code) : undefined
  }

  /** Lets a user act before the n-th write. */
  async actBefore(n: number): Promise<void> {
    const { user, faults } = this.#options
    if (user.observe) await user.observe(n)
    if (this.#isRedoneSoon) await user.redo()
    this.#isRedoneSoon = false
    // A fault for which a user finds nothing to change stays pending.
    const recreation = faults.find((candidate) => candidate.type === 'recreate' && candidate.write === n)
    if (recreation && (await user.recreate())) faults.markInjected(recreation)
    const flip = faults.find((candidate) => candidate.type === 'flip' && candidate.write === n)
    if (flip?.type !== 'flip' || !(await user.undo())) return
    faults.markInjected(flip)
    this.#isRedoneSoon = flip.when === 'soon'
  }

  /** Sends the n-th write, and kills its process or breaks connections before or after the server has stored it. */
  async send<R>(n: number, process: SimulatedProcess, send: () => Promise<R>): Promise<R> {
    if (this.#takesCrash(n, 'before')) return killProcess(process)
    const answer = await send()
    if (this.#takesCrash(n, 'unanswered')) return killProcess(process)
    if (this.#takes('drop', n)) throw new BrokenConnection()
    if (this.#takes('cut', n)) this.#options.lags.breakAll()
    if (this.#takesCrash(n, 'after')) setImmediate(() => process.kill())
    return answer
  }

  /**
   * Makes another replica the leader at the n-th write. Resolves when the write may be sent, to whether it was held up.
   */
  async handOver(n: number, process: SimulatedProcess): Promise<boolean> {
    const phase = this.#takeHandover(n)
    if (phase === 'running') this.handover.cutOff(process)
    if (phase === 'held') await this.handover.hold(process)
    return phase === 'held'
  }

  /** Makes another replica the leader at the n-th write, which is outside Kubernetes and cannot be held up. */
  handOverRunning(n: number, process: SimulatedProcess): void {
    if (this.#takeHandover(n)) this.handover.cutOff(process)
  }

  #takeHandover(n: number): HandoverPhase | undefined {
    const fault = this.#options.faults.take(
      (candidate) => candidate.type === 'handover' && candidate.write === n,
    )
    return fault?.type === 'handover' ? fault.when : undefined
  }

  #takesCrash(n: number, when: string): boolean {
    const { faults } = this.#options
    return (
      faults.take((candidate) => isKill(candidate) && candidate.write === n && candidate.when === when) !==
      undefined
    )
  }

  #takes(type: 'drop' | 'cut', n: number): boolean {
    return (
      this.#options.faults.take((candidate) => candidate.type === type && candidate.write === n) !== undefined
    )
  }
}

type Kill = Extract<InjectedFault, { type: 'crash' | 'upgrade' | 'downgrade' }>

/** Whether a fault kills the process: crashes, upgrades and downgrades do. */
const isKill = (fault: InjectedFault): fault is Kill =>
  fault.type === 'crash' || fault.type === 'upgrade' || fault.type === 'downgrade'

function killProcess(process: SimulatedProcess): Promise<never> {
  process.kill()
  return new Promise(() => {})
}
