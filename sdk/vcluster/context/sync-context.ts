import type { Key } from '../../engine/kube/key.js'
import type { EventRecorder } from '../../engine/observe/event-recorder.js'
import type { RegisterContext } from './register-context.js'

/** The context of one run of one key. Its logger names the syncer and the key. */
export interface SyncContext extends RegisterContext {
  /** The key of the virtual object of this run. */
  readonly key: Key
  /** Aborts when the plugin stops or leadership is lost; pass it on to whatever waits. */
  readonly signal: AbortSignal
  /** Writes Events about virtual objects, in the virtual cluster. */
  readonly events: EventRecorder
}
