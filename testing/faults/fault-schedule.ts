import type { InjectedFault } from './injected-fault.js'

const releaseChanges: ReadonlySet<string> = new Set(['upgrade', 'downgrade', 'rollback'])

/** The faults of one run and which of them have been injected. Each is injected at most once. */
export class FaultSchedule {
  readonly faults: readonly InjectedFault[]
  readonly #injected = new Set<InjectedFault>()

  constructor(faults: readonly InjectedFault[]) {
    this.faults = faults
  }

  /** Whether the run has no faults. */
  get isEmpty(): boolean {
    return this.faults.length === 0
  }

  /** The faults that have not been injected. */
  get pending(): readonly InjectedFault[] {
    return this.faults.filter((fault) => !this.#injected.has(fault))
  }

  /** Whether processes run the next release: the last change of the release was an upgrade. */
  get isUpgraded(): boolean {
    const changes = [...this.#injected].filter(({ type }) => releaseChanges.has(type))
    return changes.at(-1)?.type === 'upgrade'
  }

  /** Takes the first pending fault that matches and records it as injected. */
  take(matches: (fault: InjectedFault) => boolean): InjectedFault | undefined {
    const due = this.find(matches)
    if (due) this.#injected.add(due)
    return due
  }

  /** The first pending fault that matches; it stays pending. */
  find(matches: (fault: InjectedFault) => boolean): InjectedFault | undefined {
    return this.pending.find(matches)
  }

  /** Records a fault as injected. */
  markInjected(fault: InjectedFault): void {
    this.#injected.add(fault)
  }
}
