import type { Lease } from '../kube/builtin.js'
import { changing, holderOf, layoutOf } from './lease-record.js'

/** Options of {@link Layout}. */
export interface LayoutOptions {
  /** Into how many shards we split the work. */
  count: number
  identity: string
  leaseDurationMs: number
}

/**
 * Lets only one number of shards be in use at a time. The Lease of shard 0 says which. Whoever takes it from another layout
 * writes that it is changing, and its own number only after a lease duration: by then everybody of the other layout
 * has seen it, or has been without a renewal for longer than its deadline.
 */
export class Layout {
  readonly #options: LayoutOptions
  readonly #own: string
  #changingSinceMs: number | undefined

  constructor(options: LayoutOptions) {
    this.#options = options
    this.#own = String(options.count)
  }

  /** Whether a Lease of shard 0 is of our layout, or free for any where there is none. */
  isOurs(lease: Lease | undefined): boolean {
    return lease === undefined || layoutOf(lease) === this.#own
  }

  /** What to write into that Lease with the next claim; who has written less than its own number does not lead. */
  next(lease: Lease | undefined, nowMs: number): string {
    if (lease === undefined || this.isOurs(lease)) return this.#own
    const { identity, leaseDurationMs } = this.#options
    const isOursToChange = holderOf(lease) === identity && layoutOf(lease) === changing
    this.#changingSinceMs = isOursToChange ? (this.#changingSinceMs ?? nowMs) : undefined
    const sinceMs = this.#changingSinceMs ?? Number.POSITIVE_INFINITY
    return nowMs >= sinceMs + leaseDurationMs ? this.#own : changing
  }
}
