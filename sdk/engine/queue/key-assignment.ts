import { NEVER, type Observable } from 'rxjs'
import type { Key } from '../kube/key.js'

/** The keys that this process serves, if several processes share them. */
export interface KeyAssignment {
  /** Whether this process serves a key now. */
  holds(key: Key): boolean
  /** Emits a filter for newly assigned keys each time that keys are assigned. */
  readonly gained$: Observable<(key: Key) => boolean>
  /** Runs the work of an assigned key, with the time until which it may write; see `Run.deadline`. */
  run<T>(key: Key, work: (deadline?: () => number) => Promise<T>): Promise<T>
}

/** The assignment of a process that works alone. */
export const allKeys: KeyAssignment = {
  holds: () => true,
  gained$: NEVER,
  run: (_key, work) => work(),
}
