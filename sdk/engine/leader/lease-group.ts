import { createHash } from 'node:crypto'
import type { Client } from '../client/client.js'
import { type Lease, leases } from '../kube/builtin.js'
import { safeConcatName } from '../kube/concat-name.js'
import { isNotFound } from '../kube/error.js'
import { type Key, keyOf } from '../kube/key.js'
import {
  claimedLease,
  freeLease,
  isReplica,
  type LeaseRole,
  leasesOfLabel,
  newLease,
  withRole,
  withShardCount,
} from './lease-record.js'
import type { LeaseTimes } from './lease-times.js'
import type { CallLimits } from './limited-call.js'
import { ObservedLease } from './observed-lease.js'

/** Options of {@link LeaseGroup}. */
export interface LeaseGroupOptions
  extends Pick<Required<LeaseTimes>, 'identity' | 'leaseDurationMs' | 'hasEnded' | 'clock'> {
  client: Pick<Client, 'get' | 'list' | 'create' | 'update' | 'delete'>
  /** The Lease of shard 0; the names of the others begin with its name. */
  lease: Key
  /** The number of shards. */
  count: number
}

/** A Lease of the group: its key, its role, and its last known state. */
export interface GroupLease {
  readonly key: Key
  readonly role: LeaseRole
  readonly observed: ObservedLease
}

/** The Leases of replicas that share work: one for each shard, and one for each replica as its heartbeat. */
export class LeaseGroup {
  /** The Leases of the shards, by number. */
  readonly shards: readonly GroupLease[]
  /** The Lease of this replica. */
  readonly own: GroupLease
  readonly #options: LeaseGroupOptions
  readonly #others = new Map<string, GroupLease>()

  constructor(options: LeaseGroupOptions) {
    this.#options = options
    const { lease, count, identity } = options
    const digest = createHash('sha256').update(identity).digest('hex').slice(0, 10)
    this.own = this.#lease(safeConcatName(lease.name, 'replica', digest), 'replica')
    this.shards = Array.from({ length: count }, (_, shard) =>
      this.#lease(shard === 0 ? lease.name : safeConcatName(lease.name, 'shard', String(shard)), 'shard'),
    )
  }

  /**
   * The number of running replicas, and how many of them are older than this one. A replica that has not written its
   * Lease yet counts as the youngest.
   */
  get ages(): { replicas: number; rank: number } {
    const nowMs = this.#options.clock.now()
    const alive = [...this.#others.values()].filter(({ observed }) => observed.isHeld(nowMs))
    const { lease } = this.own.observed
    const rank = lease ? alive.filter(({ observed }) => isOlder(observed.lease, lease)).length : alive.length
    return { replicas: alive.length + 1, rank }
  }

  /** The expired Leases of other replicas. */
  get abandoned(): readonly GroupLease[] {
    const nowMs = this.#options.clock.now()
    return [...this.#others.values()].filter(({ observed }) => !observed.isHeld(nowMs))
  }

  /** Reads all Leases. A shard's Lease that no replica of a group has held yet has no label, so it is read by name. */
  async readAll(limits: CallLimits): Promise<void> {
    const { client, lease, clock } = this.#options
    const { items } = await client.list(leases, {
      namespace: lease.namespace,
      labelSelector: `${leasesOfLabel}=${lease.name}`,
      ...limits,
    })
    const listedLeases = new Map(items.map((item) => [keyOf(item).name, item]))
    await Promise.all(
      this.shards.map(async ({ key, observed }) =>
        observed.observe(listedLeases.get(key.name) ?? (await this.#get(key, limits)), clock.now()),
      ),
    )
    this.own.observed.observe(listedLeases.get(this.own.key.name), clock.now())
    this.#updateOthers(items.filter((item) => isReplica(item) && keyOf(item).name !== this.own.key.name))
  }

  /** Claims a free Lease, or renews a Lease that this replica holds. */
  async claim(groupLease: GroupLease, shardCount: string, limits: CallLimits): Promise<void> {
    const { client, identity, leaseDurationMs, clock, lease: firstLease } = this.#options
    const claim = { identity, leaseDurationMs, now: clock.date() }
    const labelled = (lease: Lease) =>
      withShardCount(withRole(lease, firstLease.name, groupLease.role), shardCount)
    const { lease } = groupLease.observed
    const written =
      lease === undefined
        ? await client.create(leases, labelled(newLease(groupLease.key, claim)), limits)
        : await client.update(leases, labelled(claimedLease(lease, claim)), limits)
    groupLease.observed.observe(written, clock.now())
  }

  /** Releases a Lease, so that the next holder does not wait for it to expire. */
  async free({ observed }: GroupLease, limits: CallLimits): Promise<void> {
    const { client, identity, clock } = this.#options
    const { lease } = observed
    if (lease === undefined || observed.holder !== identity) return
    observed.observe(await client.update(leases, freeLease(lease, clock.date()), limits), clock.now())
  }

  /** Deletes a Lease, unless it changed since it was read. */
  async remove({ key, observed }: GroupLease, limits: CallLimits): Promise<void> {
    const { uid = '', resourceVersion = '' } = observed.lease?.metadata ?? {}
    if (uid === '') return
    await this.#options.client.delete(leases, key, { uid, resourceVersion, ...limits })
    observed.observe(undefined, this.#options.clock.now())
  }

  /** Remembers the Leases of the other replicas, and forgets those that no longer exist. */
  #updateOthers(replicaLeases: readonly Lease[]): void {
    const names = new Set(replicaLeases.map((lease) => keyOf(lease).name))
    for (const name of this.#others.keys()) if (!names.has(name)) this.#others.delete(name)
    for (const lease of replicaLeases) {
      const { name } = keyOf(lease)
      const other = this.#others.get(name) ?? this.#lease(name, 'replica')
      other.observed.observe(lease, this.#options.clock.now())
      this.#others.set(name, other)
    }
  }

  #lease(name: string, role: LeaseRole): GroupLease {
    const key = { namespace: this.#options.lease.namespace, name }
    return { key, role, observed: new ObservedLease(this.#options) }
  }

  async #get(key: Key, limits: CallLimits): Promise<Lease | undefined> {
    try {
      return await this.#options.client.get(leases, key, limits)
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }
}

/** Whether a Lease is older than another one: by creation time, and by name within one second. */
function isOlder(lease: Lease | undefined, other: Lease): boolean {
  const orderText = ({ metadata }: Partial<Lease> = {}) => `${metadata?.creationTimestamp} ${metadata?.name}`
  return orderText(lease) < orderText(other)
}
