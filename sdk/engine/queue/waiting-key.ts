import type { Key } from '../kube/key.js'

/** Whether a change enqueued a key (`live`), or a start or a resync, which enqueue every key (`background`). */
export type Priority = 'live' | 'background'

/** A waiting key, and the time since which it waits. */
export interface WaitingKey {
  /** The key as `formatKey` writes it. */
  readonly id: string
  readonly key: Key
  /** The time since which it waits, in milliseconds of the clock. */
  readonly sinceMs: number
  readonly priority: Priority
}
