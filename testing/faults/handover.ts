import type { SimulatedProcess } from './simulated-process.js'

/** A leader change in which the old process still runs. */
export class Handover {
  readonly #cutOff = new Set<SimulatedProcess>()
  #heldWrite: { process: SimulatedProcess; release: () => void } | undefined

  /** Whether a process has lost its connection to the Lease. */
  isCutOff(process: SimulatedProcess): boolean {
    return this.#cutOff.has(process)
  }

  /** The process whose write is held up, if any. */
  get holder(): SimulatedProcess | undefined {
    return this.#heldWrite?.process
  }

  /** Whether a process that cannot renew the Lease still runs. */
  get isUnderWay(): boolean {
    return this.#heldWrite !== undefined || [...this.#cutOff].some(({ isKilled }) => !isKilled)
  }

  /** Cuts a process off from the Lease: the process leads until its Lease expires. */
  cutOff(process: SimulatedProcess): void {
    this.#cutOff.add(process)
  }

  /** Holds up a write of a process that is cut off. Resolves on {@link release}. */
  hold(process: SimulatedProcess): Promise<void> {
    this.cutOff(process)
    return new Promise((release) => {
      this.#heldWrite = { process, release }
    })
  }

  /** Lets the held write go to the server. */
  release(): void {
    this.#heldWrite?.release()
    this.#heldWrite = undefined
  }
}
