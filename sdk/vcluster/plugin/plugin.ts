import type { RegisterContext } from '../context/register-context.js'
import type { Runnable } from '../syncer/runnable.js'
import type { InitOptions } from './plugin-options.js'

/** A vcluster plugin: one per process, except in tests. */
export interface Plugin {
  /**
   * Waits until both clusters are known and returns the context that syncers are constructed with. Throws `PluginError`
   * when the environment or a kubeconfig is wrong.
   */
  init(options?: InitOptions): Promise<RegisterContext>
  /**
   * Takes syncers, hooks, interceptors, fake syncers, controllers or any other runnables; each name must be unique.
   * Call between `init` and `start`. Throws `PluginError`, `INVALID_REGISTRATION` for a class in place of an instance,
   * for example.
   */
  register(...runnables: (Runnable & { readonly prototype?: never })[]): void
  /**
   * Runs the registered runnables. Resolves after a stop; rejects with `PluginError` `LEADERSHIP_LOST` when another
   * process has to take over, and with the error of a failed start.
   */
  start(): Promise<void>
  /** Resolves when every syncer has started; rejects if the start failed. */
  whenRunning(): Promise<void>
  /** Whether the plugin runs and no key is queued or under way. */
  isIdle(): boolean
  /** Ends the intake, lets running keys finish, releases leadership and closes the connections. */
  stop(): Promise<void>
}
