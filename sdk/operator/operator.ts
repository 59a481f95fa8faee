import type { KubeObject } from '../engine/kube/object.js'
import type { OperatorDescription } from './describe/operator-description.js'
import type { ControllerDefinition } from './engine/controller.js'

/** A program of controllers. */
export interface Operator {
  /** Takes a controller; its name must be its own. Call before `start`. */
  register<T extends KubeObject>(controller: ControllerDefinition<T>): void
  /**
   * Opens the clusters and runs the controllers. Resolves after a stop; rejects with `PluginError` `LEADERSHIP_LOST` when
   * another replica has to take over, and with the reason when the start fails.
   */
  start(): Promise<void>
  /** Resolves when every controller is at work; rejects when the start failed. */
  whenRunning(): Promise<void>
  /** Whether the operator runs and no key waits or runs. */
  isIdle(): boolean
  /** Closes the intake, lets running keys finish, releases leadership and closes the connections. */
  stop(): Promise<void>
}

/** An operator for programs around it. */
export interface InternalOperator extends Operator {
  /** Describes what was registered so far. */
  describe(): Promise<OperatorDescription>
}
