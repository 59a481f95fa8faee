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
  withLayout,
  withRole,
} from './lease-record.js'
import { LeaseSighting } from './lease-sighting.js'
import type { LeaseTimes } from './lease-times.js'

/** Options of {@link LeaseGroup}. */
export interface LeaseGroupOptions
  extends Pick<Required<LeaseTimes>, 'identity' | 'leaseDurationMs' | 'clock'> {
  client: Pick<Client, 'get' | 'list' | 'create' | 'update' | 'delete'>
  /** The Lease of shard 0; the names of the others begin with its name. */
  lease: Key
  /** How many shards there are. */
  count: number
}

/** A Lease of the group: where it stands, and what was seen of it. */
export interface GroupLease {
  readonly key: Key
  readonly role: LeaseRole
  readonly sighting: LeaseSighting
}

/** The Leases that replicas share their work by: one for each shard, and one for each replica, which says that it lives. */
export class LeaseGroup {
  /** Those of the shards, by number. */
  readonly shards: readonly GroupLease[]
  /** This replica's own. */
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

  /** How many replicas live, and how many of them are older; one that does not tell yet that it lives counts as the youngest. */
  get ages(): { replicas: number; rank: number } {
    const nowMs = this.#options.clock.now()
    const alive = [...this.#others.values()].filter(({ sighting }) => sighting.isHeld(nowMs))
    const { lease } = this.own.sighting
    const rank = lease ? alive.filter((one) => isOlder(one.sighting.lease, lease)).length : alive.length
    return { replicas: alive.length + 1, rank }
  }

  /** The Leases of replicas that are gone. */
  get abandoned(): readonly GroupLease[] {
    const nowMs = this.#options.clock.now()
    return [...this.#others.values()].filter(({ sighting }) => !sighting.isHeld(nowMs))
  }

  /** Looks at all of them. One that has no label yet, because no replica of a group has held it, is asked for by name. */
  async look(signal: AbortSignal): Promise<void> {
    const { client, lease, clock } = this.#options
    const { items } = await client.list(leases, {
      namespace: lease.namespace,
      labelSelector: `${leasesOfLabel}=${lease.name}`,
      signal,
    })
    const found = new Map(items.map((item) => [keyOf(item).name, item]))
    await Promise.all(
      this.shards.map(async ({ key, sighting }) =>
        sighting.see(found.get(key.name) ?? (await this.#get(key, signal)), clock.now()),
      ),
    )
    this.own.sighting.see(found.get(this.own.key.name), clock.now())
    this.#meet(items.filter((item) => isReplica(item) && keyOf(item).name !== this.own.key.name))
  }

  /** Claims or renews one that is free or ours. */
  async claim(one: GroupLease, layout: string, signal: AbortSignal): Promise<void> {
    const { client, identity, leaseDurationMs, clock, lease: stem } = this.#options
    const claim = { identity, leaseDurationMs, now: clock.date() }
    const marked = (lease: Lease) => withLayout(withRole(lease, stem.name, one.role), layout)
    const { lease } = one.sighting
    const written =
      lease === undefined
        ? await client.create(leases, marked(newLease(one.key, claim)), { signal })
        : await client.update(leases, marked(claimedLease(lease, claim)), { signal })
    one.sighting.see(written, clock.now())
  }

  /** Gives one up, so that the next need not wait. */
  async free({ sighting }: GroupLease, signal: AbortSignal): Promise<void> {
    const { client, identity, clock } = this.#options
    const { lease } = sighting
    if (lease === undefined || sighting.holder !== identity) return
    sighting.see(await client.update(leases, freeLease(lease, clock.date()), { signal }), clock.now())
  }

  /** Removes one as it was seen. */
  async remove({ key, sighting }: GroupLease, signal: AbortSignal): Promise<void> {
    const { uid = '', resourceVersion = '' } = sighting.lease?.metadata ?? {}
    if (uid === '') return
    await this.#options.client.delete(leases, key, { uid, resourceVersion, signal })
    sighting.see(undefined, this.#options.clock.now())
  }

  #meet(found: readonly Lease[]): void {
    const names = new Set(found.map((item) => keyOf(item).name))
    for (const name of this.#others.keys()) if (!names.has(name)) this.#others.delete(name)
    for (const item of found) {
      const { name } = keyOf(item)
      const known = this.#others.get(name) ?? this.#lease(name, 'replica')
      known.sighting.see(item, this.#options.clock.now())
      this.#others.set(name, known)
    }
  }

  #lease(name: string, role: LeaseRole): GroupLease {
    const { lease, leaseDurationMs } = this.#options
    const key = { namespace: lease.namespace, name }
    return { key, role, sighting: new LeaseSighting(leaseDurationMs) }
  }

  async #get(key: Key, signal: AbortSignal): Promise<Lease | undefined> {
    try {
      return await this.#options.client.get(leases, key, { signal })
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }
}

/** By when the API server made them, and by name where that is the same second. */
function isOlder(one: Lease | undefined, than: Lease): boolean {
  const age = (lease: Lease | undefined) => `${lease?.metadata.creationTimestamp} ${lease?.metadata.name}`
  return age(one) < age(than)
}
