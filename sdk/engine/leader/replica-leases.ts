import type { LeaseCalls } from './lease-calls.js'
import type { LeaseGroup } from './lease-group.js'
import { describeLease } from './shard-slot.js'

const notRemoved = 'the Lease of a replica that is gone could not be removed'

/** Renews the Lease that is the heartbeat of this replica, and removes the Leases of replicas that are gone. */
export class ReplicaLeases {
  readonly #group: LeaseGroup
  readonly #calls: LeaseCalls
  readonly #count: string

  constructor(group: LeaseGroup, calls: LeaseCalls) {
    this.#group = group
    this.#calls = calls
    this.#count = String(group.shards.length)
  }

  /**
   * Makes one round: renews the Lease of this replica; the replica with shard 0 also removes the Leases of replicas
   * that are gone.
   */
  async keep({ isLeaving, hasFirst }: { isLeaving: boolean; hasFirst: boolean }): Promise<void> {
    await Promise.all([
      isLeaving ? this.#remove() : this.#renew(),
      ...(hasFirst ? this.#removeAbandoned() : []),
    ])
  }

  /** Releases the Leases of all shards that this replica holds, and deletes the Lease of this replica. */
  async freeAll(): Promise<void> {
    await this.#calls.limited((limits) => this.#group.readAll(limits))
    const { own, shards } = this.#group
    await Promise.all([
      ...shards.map((shardLease) => this.#calls.limited((limits) => this.#group.free(shardLease, limits))),
      this.#calls.limited((limits) => this.#group.remove(own, limits)),
    ])
  }

  async #renew(): Promise<void> {
    const { own } = this.#group
    await this.#calls.attempt(
      (limits) => this.#group.claim(own, this.#count, limits),
      `${describeLease(own)} could not be renewed`,
    )
  }

  async #remove(): Promise<void> {
    await this.#calls.attempt((limits) => this.#group.remove(this.#group.own, limits), notRemoved)
  }

  #removeAbandoned(): Promise<unknown>[] {
    return this.#group.abandoned.map((abandonedLease) =>
      this.#calls.attempt((limits) => this.#group.remove(abandonedLease, limits), notRemoved),
    )
  }
}
