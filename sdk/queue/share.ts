import { NEVER, type Observable } from 'rxjs'
import type { Key } from '../kube/key.js'

/** Which keys are ours to serve, where several processes share them. */
export interface Share {
  /** Whether a key is ours now. */
  holds(key: Key): boolean
  /** Emits which keys have become ours, each time that some do. */
  readonly gained$: Observable<(key: Key) => boolean>
  /** Serves a key that is ours; what `work` writes passes the gate for as long as the key stays ours. */
  run<T>(key: Key, work: () => Promise<T>): Promise<T>
}

/** The share of a process that works alone. */
export const everything: Share = {
  holds: () => true,
  gained$: NEVER,
  run: (_key, work) => work(),
}
