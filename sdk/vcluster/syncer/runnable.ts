import type { RegisterContext } from '../context/register-context.js'
import type { Permission } from './permission.js'

/**
 * A part of a plugin: it has a name, and takes part in any of the steps of the start. A {@link Syncer} and a {@link
 * FakeSyncer} are runnables that also serve keys. A runnable with only `register` is a free-form controller (`Base`,
 * `Initializer`, `IndicesRegisterer` and `ControllerStarter` in `syncer/types.go` @ vcluster-sdk v0.4.2).
 */
export interface Runnable {
  /** Names it in logs, metrics and Events. */
  readonly name: string
  /**
   * Permissions that the runnable needs in addition to the SDK's own permissions, for example for calls of
   * `ctx.host.client` about other kinds. They become part of the plugin's Role and are checked at its start.
   */
  readonly permissions?: readonly Permission[]
  /** Runs once after leadership is won, before any cache is filled. */
  init?(ctx: RegisterContext): Promise<void>
  /** Runs after every `init`, before the caches are filled: the place to add indices to stores. */
  registerIndices?(ctx: RegisterContext): Promise<void>
  /**
   * Runs when the caches are filled, in the order of registration, for work outside of syncers. It may write. Work that
   * it starts must end with `signal`. The start waits for it, so it must not wait for the signal itself.
   */
  register?(ctx: RegisterContext, signal: AbortSignal): Promise<void>
}
