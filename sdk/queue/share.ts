import { NEVER, type Observable } from 'rxjs'
import type { Key } from '../kube/key.js'

/** Which keys are ours to serve, where several processes share them. */
export interface Share {
  /** Whether a key is ours now. */
  holds(key: Key): boolean
  /** Emits which keys have become ours, each time that some do. */
  readonly gained$: Observable<(key: Key) => boolean>
  /** Runs the work of a key that is ours, with the time until which it may write; see `Run.deadline`. */
  run<T>(key: Key, work: (deadline?: () => number) => Promise<T>): Promise<T>
}

/** The share of a process that works alone. */
export const everything: Share = {
  holds: () => true,
  gained$: NEVER,
  run: (_key, work) => work(),
}
