import type { Entry } from '../store/entry.js'

/** One page of a list. */
export interface Page {
  readonly entries: readonly Entry[]
  readonly metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number }
}
