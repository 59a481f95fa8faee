import type { Lease } from '../kube/builtin.js'
import { changing, holderOf, shardCountOf } from './lease-record.js'

/** Options of {@link Resharding}. */
export interface ReshardingOptions {
  /** The number of shards that this replica uses. */
  count: number
  identity: string
  leaseDurationMs: number
}

/**
 * Changes the number of shards without two numbers in use at a time. The Lease of shard 0 records the number in use. A
 * replica that takes it over from another number first writes `changing`, and writes its own number one lease duration
 * later. By then every replica of the other number has read `changing`, or has failed to renew for longer than its
 * deadline.
 */
export class Resharding {
  readonly #options: ReshardingOptions
  readonly #own: string
  #changingSinceMs: number | undefined

  constructor(options: ReshardingOptions) {
    this.#options = options
    this.#own = String(options.count)
  }

  /** Whether a Lease of shard 0 records our number of shards, or does not exist. */
  isOurs(lease: Lease | undefined): boolean {
    return lease === undefined || shardCountOf(lease) === this.#own
  }

  /** The shard count to write with the next claim of that Lease. A replica that wrote `changing` does not lead yet. */
  next(lease: Lease | undefined, nowMs: number): string {
    if (lease === undefined || this.isOurs(lease)) return this.#own
    const { identity, leaseDurationMs } = this.#options
    const isOursToChange = holderOf(lease) === identity && shardCountOf(lease) === changing
    this.#changingSinceMs = isOursToChange ? (this.#changingSinceMs ?? nowMs) : undefined
    const sinceMs = this.#changingSinceMs ?? Number.POSITIVE_INFINITY
    return nowMs >= sinceMs + leaseDurationMs ? this.#own : changing
  }
}
