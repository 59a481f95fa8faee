import type { Resource } from '../../sdk/engine/kube/resource.js'
import type { OperatorClusters } from './operator-scenario.js'
import { hasRecreatable } from './recreate.js'
import type { RevertedChanges } from './reverted-changes.js'

/** The numbers of the writes before which a user can disturb an operator; at others a run is as one without faults. */
export interface DisturbableWrites {
  /** Before these, the step has changed the `spec` of a primary object: a `flip` has a change to take back. */
  readonly flips: ReadonlySet<number>
  /** Before these, there is a primary object that a `recreate` recreates. */
  readonly recreations: ReadonlySet<number>
}

/** Options of {@link DisturbanceObserver}. */
export interface DisturbanceObserverOptions {
  clusters: Pick<OperatorClusters, 'client'>
  reverted: Pick<RevertedChanges, 'hasChange'>
  primaries: () => readonly Resource[]
}

/** Notes the {@link DisturbableWrites} of a run. */
export class DisturbanceObserver {
  readonly writes = { flips: new Set<number>(), recreations: new Set<number>() }
  readonly #options: DisturbanceObserverOptions

  constructor(options: DisturbanceObserverOptions) {
    this.#options = options
  }

  /** Looks at the primary objects before the n-th write is sent. */
  async observe(n: number): Promise<void> {
    const { clusters, reverted, primaries } = this.#options
    if (await reverted.hasChange()) this.writes.flips.add(n)
    if (await hasRecreatable(clusters, primaries())) this.writes.recreations.add(n)
  }
}
