import type { VirtualClock } from '../clock/virtual-clock.js'
import type { OperatorRun } from '../environment/test-environment.js'
import type { InjectedFault } from '../faults/injected-fault.js'

/** Options of a run of an operator. */
export interface HarnessOptions {
  /** The faults to inject; default none. */
  faults?: readonly InjectedFault[]
  /** Whether the run notes at which writes a user can disturb the operator; default false. */
  observesUsers?: boolean
}

/** A run whose clusters are open. */
export interface OpenedRun extends HarnessOptions {
  run: OperatorRun
  clock: VirtualClock
}
