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
   * Takes syncers, hooks, interceptors, fake syncers, controllers or any other runnables; the name of each must be its
   * own. Call between `init` and `start`. Throws `PluginError`, `INVALID_REGISTRATION` for a class in place of an
   * instance, for example.
   */
  register(...runnables: (Runnable & { readonly prototype?: never })[]): void
  /**
   * Runs the registered runnables. Resolves after a stop; rejects with `PluginError` `LEADERSHIP_LOST` when
   * another has to take over, and with whatever made the start fail.
   */
  start(): Promise<void>
  /** Resolves when every syncer is at work; rejects when the start failed. */
  whenRunning(): Promise<void>
  /** Whether the plugin runs and no key is queued or under way. */
  isIdle(): boolean
  /** Ends the intake, lets running keys finish, releases leadership and closes the connections. */
  stop(): Promise<void>
}
