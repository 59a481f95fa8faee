import type { Client } from '../engine/client/client.js'
import type { KubeObject } from '../engine/kube/object.js'
import type { OperatorDescription } from './describe/operator-description.js'
import type { ControllerDefinitions } from './engine/controller.js'

/** A program of controllers. */
export interface Operator {
  /** Takes controllers; the name of each must be its own. Call before `start`. */
  register<T extends readonly KubeObject[]>(...controllers: ControllerDefinitions<T>): void
  /**
   * Opens the clusters and runs the controllers. Resolves after a stop; rejects with `PluginError` `LEADERSHIP_LOST`
   * when another replica has to take over, and with the reason when the start fails.
   */
  start(): Promise<void>
  /** Resolves when every controller is at work; rejects when the start failed. */
  whenRunning(): Promise<void>
  /**
   * A client for work outside of runs, such as a server of the program's own. It reads on every replica; a write is
   * refused with `PluginError` `NOT_LEADER` where the replica does not lead. `cluster` is needed if the operator has
   * several.
   *
   * @throws `PluginError` `NOT_STARTED` before the clusters are open: await `whenRunning()`
   */
  client(cluster?: string): Client
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
