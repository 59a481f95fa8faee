import type { TransportResponse } from '../../sdk/transport/transport.js'
import { ConnectionLost, errorResponse } from './error-response.js'
import type { FaultSchedule } from './fault-schedule.js'
import { Handover } from './handover.js'
import type { HandoverPhase } from './injected-fault.js'
import type { SimulatedProcess } from './simulated-process.js'
import type { WatchLags } from './watch-lags.js'

/** Options of {@link FaultInjector}. */
export interface FaultInjectorOptions {
  faults: FaultSchedule
  /** The lags of the watches, which the fault `cut` breaks. */
  lags: Pick<WatchLags, 'breakAll'>
  /** Called for the fault `recreate`, before a write is sent. */
  recreate: () => Promise<void>
}

/** Injects the scheduled faults at the numbered calls and writes of a run. */
export class FaultInjector {
  readonly handover = new Handover()
  readonly #options: FaultInjectorOptions

  constructor(options: FaultInjectorOptions) {
    this.#options = options
  }

  /** The response that replaces a call, if the call fails. */
  refusalOf(call: number): TransportResponse | undefined {
    const fault = this.#options.faults.take((one) => one.type === 'refuse' && one.call === call)
    return fault?.type === 'refuse' ? errorResponse(fault.code) : undefined
  }

  /** Lets a user recreate the primary object before the n-th write. */
  async recreateBefore(n: number): Promise<void> {
    if (this.#takes('recreate', n)) await this.#options.recreate()
  }

  /** Sends the n-th write, and kills its process or breaks connections before or after the server has stored it. */
  async send<R>(n: number, process: SimulatedProcess, send: () => Promise<R>): Promise<R> {
    if (this.#takesCrash(n, 'before')) return killed(process)
    const answer = await send()
    if (this.#takesCrash(n, 'unanswered')) return killed(process)
    if (this.#takes('drop', n)) throw new ConnectionLost()
    if (this.#takes('cut', n)) this.#options.lags.breakAll()
    if (this.#takesCrash(n, 'after')) setImmediate(() => process.kill())
    return answer
  }

  /** Makes another replica the leader at the n-th write. Resolves when the write may be sent, to whether it was held up. */
  async handOver(n: number, process: SimulatedProcess): Promise<boolean> {
    const phase = this.#takeHandover(n)
    if (phase === 'running') this.handover.cutOff(process)
    if (phase === 'held') await this.handover.hold(process)
    return phase === 'held'
  }

  /** The same for a write outside Kubernetes, which cannot be held up. */
  handOverRunning(n: number, process: SimulatedProcess): void {
    if (this.#takeHandover(n)) this.handover.cutOff(process)
  }

  #takeHandover(n: number): HandoverPhase | undefined {
    const fault = this.#options.faults.take((one) => one.type === 'handover' && one.write === n)
    return fault?.type === 'handover' ? fault.when : undefined
  }

  #takesCrash(n: number, when: string): boolean {
    const { faults } = this.#options
    return faults.take((one) => one.type === 'crash' && one.write === n && one.when === when) !== undefined
  }

  #takes(type: 'recreate' | 'drop' | 'cut', n: number): boolean {
    return this.#options.faults.take((one) => one.type === type && one.write === n) !== undefined
  }
}

function killed(process: SimulatedProcess): Promise<never> {
  process.kill()
  return new Promise(() => {})
}
