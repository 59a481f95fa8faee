import type { Key } from '../kube/key.js'

/** Whether a key was rung by a change, or because everything is looked at (a start, a resync). */
export type Priority = 'live' | 'background'

/** A key that waits, and since when. */
export interface WaitingKey {
  readonly id: string
  readonly key: Key
  readonly sinceMs: number
  readonly priority: Priority
}
