/**
 * Shares work between replicas: each shard has a Lease, and each replica has a Lease as its heartbeat.
 *
 * A shard has one holder at a time. A replica gets its fair share as soon as replicas that hold more have finished the
 * runs in the shards that they give away. No shard is led while its Lease records another number of shards.
 * `ShardAssignment` records which shards are served, and until when each may be written.
 */
import { type Observable, ReplaySubject } from 'rxjs'
import { balanceShards } from './balance-shards.js'
import type { Leadership } from './leadership.js'
import { LeaseCalls } from './lease-calls.js'
import { LeaseGroup, type LeaseGroupOptions } from './lease-group.js'
import { shardCountOf } from './lease-record.js'
import { checkLeaseTimes, type LeaseTimes, leaseDefaults } from './lease-times.js'
import { ReplicaLeases } from './replica-leases.js'
import { Resharding } from './resharding.js'
import { roundPauseMs } from './round-pause.js'
import { Rounds } from './rounds.js'
import { ShardAssignment } from './shard-assignment.js'
import { checkShardCount } from './shard-count.js'
import { currentHolderOf, describeLease, needsLease, newTerm, type ShardSlot } from './shard-slot.js'

/** Options of {@link shardLeadership}. */
export interface ShardLeadershipOptions
  extends LeaseTimes,
    Pick<LeaseGroupOptions, 'client' | 'lease' | 'count'> {}

/**
 * Leads a share of `count` shards, and tries to acquire them until released. A replica that joins or leaves moves as
 * few shards as possible. A shard is given away when its runs have ended, or after a renew deadline.
 *
 * Losing a shard unexpectedly ends leadership of all shards; the process must restart. Throws a `PluginError`
 * `INVALID_LEASE_TIMES` as {@link leaseLeadership} does, and `INVALID_SHARDS` unless `count` is an integer from 2 to
 * 64.
 */
export function shardLeadership(
  options: ShardLeadershipOptions,
): Leadership & { readonly assignment: ShardAssignment } {
  return new ShardLeadership(options)
}

class ShardLeadership implements Leadership {
  readonly assignment: ShardAssignment
  readonly #options: Required<LeaseTimes> & Pick<ShardLeadershipOptions, 'count'>
  readonly #group: LeaseGroup
  readonly #resharding: Resharding
  readonly #slots: readonly ShardSlot[]
  readonly #calls: LeaseCalls
  readonly #replicas: ReplicaLeases
  readonly #rounds: Rounds
  readonly #leading$ = new ReplaySubject<boolean>(1)
  readonly #stop = new AbortController()
  #state: 'waiting' | 'leading' | 'over' = 'waiting'
  #draining = false
  /** The last message about waiting, which is logged once. */
  #lastLogged = ''

  constructor(options: ShardLeadershipOptions) {
    const complete = { ...leaseDefaults(), ...options }
    checkLeaseTimes(complete)
    checkShardCount(complete.count)
    this.#options = complete
    this.#group = new LeaseGroup(complete)
    this.#resharding = new Resharding(complete)
    this.#slots = this.#group.shards.map((lease, shard) => ({ shard, lease }))
    this.#calls = new LeaseCalls({ ...complete, stop: this.#stop.signal })
    this.#replicas = new ReplicaLeases(this.#group, this.#calls)
    this.#rounds = new Rounds({
      clock: complete.clock,
      work: () => this.#makeRound(),
      pauseMs: () =>
        roundPauseMs(complete, { isLeading: this.#state === 'leading', hasFailed: this.#calls.failed }),
    })
    const deadline = (shard: number) => this.#slots[shard]?.term?.deadline() ?? Number.NEGATIVE_INFINITY
    const holder = (shard: number) => currentHolderOf(this.#slots[shard], complete.clock.now())
    this.assignment = new ShardAssignment({
      count: complete.count,
      deadline,
      holder,
      onQuiet: () => this.#rounds.hurry(),
    })
    this.#rounds.start()
  }

  get leader$(): Observable<boolean> {
    return this.#leading$.asObservable()
  }

  deadline(): number {
    return this.assignment.deadline(0)
  }

  drain(): void {
    this.#draining = true
    for (const { shard } of this.#slots) this.assignment.leave(shard)
    this.#rounds.hurry()
  }

  async release(): Promise<void> {
    this.#end()
    await this.#rounds.end()
    for (const slot of this.#slots) this.#vacate(slot)
    await this.#replicas.freeAll().catch((error) => this.#options.logger.warn(reason(error), notReleased))
  }

  #end(): void {
    this.#state = 'over'
    void this.#rounds.end()
    this.#stop.abort(new Error('leadership is over'))
  }

  async #makeRound(): Promise<void> {
    this.#calls.forgive()
    const startedAtMs = this.#options.clock.now()
    const isRead = await this.#calls.attempt(
      (limits) => this.#group.readAll(limits),
      'the Leases could not be read',
    )
    if (isRead) await Promise.all([this.#keepReplicas(), this.#updateShards(startedAtMs)])
    // A list that lost a race is not logged, but it counts as failed.
    else this.#calls.fail()
  }

  #keepReplicas(): Promise<void> {
    return this.#replicas.keep({ isLeaving: this.#draining, hasFirst: this.#slots[0]?.term !== undefined })
  }

  async #updateShards(startedAtMs: number): Promise<void> {
    const [first] = this.#slots
    if (first && needsLease(first, this.#options.clock.now())) return this.#createFirst(first, startedAtMs)
    if (!this.#resharding.isOurs(first?.lease.observed.lease)) return this.#reshard()
    await Promise.all(this.#slots.map((slot) => this.#renewOrGiveAway(slot, startedAtMs)))
    if (!this.#draining) await this.#balance(startedAtMs)
  }

  /** Creates the Lease of shard 0 first, because it records the number of shards. */
  async #createFirst(first: ShardSlot, startedAtMs: number): Promise<void> {
    if (this.#draining) return
    await this.#claim(first, startedAtMs)
    this.#rounds.hurry()
  }

  /** Renews a shard that this replica holds, or gives it away when it should and no run is in progress. */
  async #renewOrGiveAway(slot: ShardSlot, startedAtMs: number): Promise<void> {
    const { term, lease, leavingSinceMs = startedAtMs } = slot
    if (term === undefined || term.expireIfDue()) return
    const { holder } = lease.observed
    if (holder !== '' && holder !== this.#options.identity)
      return term.lose(`${describeLease(lease)} is held by ${holder}`)
    const isLeaving = this.#draining || slot.leavingSinceMs !== undefined
    if (isLeaving && this.assignment.isQuiet(slot.shard)) return this.#giveAway(slot)
    if (startedAtMs - leavingSinceMs >= this.#options.renewDeadlineMs) return this.#vacate(slot)
    await this.#claim(slot, startedAtMs)
  }

  /** Ends the term first, so that nothing is written after the Lease is free. */
  async #giveAway(slot: ShardSlot): Promise<void> {
    this.#vacate(slot)
    const freed = await this.#calls.attempt(
      (limits) => this.#group.free(slot.lease, limits),
      `${describeLease(slot.lease)} was not released: it has to expire`,
    )
    if (freed) this.#options.logger.info({ shard: slot.shard }, 'shard given away')
  }

  #vacate(slot: ShardSlot): void {
    slot.term?.giveUp()
    slot.term = undefined
    slot.leavingSinceMs = undefined
    this.assignment.leave(slot.shard)
  }

  async #balance(startedAtMs: number): Promise<void> {
    const { clock, identity } = this.#options
    const { give, take } = balanceShards(this.#slots, { ...this.#group.ages, identity, nowMs: clock.now() })
    for (const slot of give) this.#leave(slot)
    await Promise.all(take.map((slot) => this.#claim(slot, startedAtMs)))
    if (this.#state === 'waiting' && take.length === 0) this.#logOnce('others have all shards: standing by')
  }

  #leave(slot: ShardSlot): void {
    slot.leavingSinceMs = this.#options.clock.now()
    this.assignment.leave(slot.shard)
    if (this.assignment.isQuiet(slot.shard)) this.#rounds.hurry()
  }

  /** The deadline counts from before the round read the Leases, because they may have changed since. */
  async #claim(slot: ShardSlot, startedAtMs: number): Promise<void> {
    const { renewDeadlineMs, count } = this.#options
    const claimed = await this.#calls.attempt(
      (limits) => this.#group.claim(slot.lease, String(count), limits),
      `${describeLease(slot.lease)} could not be claimed, trying again`,
    )
    if (!claimed || this.#state === 'over') return
    const term = slot.term ?? newTerm(slot, this.#options, () => this.#handleLoss())
    term.hold(startedAtMs + renewDeadlineMs)
    if (slot.term || !term.leading) return
    slot.term = term
    this.#handleGain(slot)
  }

  #handleGain({ shard }: ShardSlot): void {
    if (this.#draining) return
    this.assignment.gain(shard)
    if (this.#state !== 'waiting') return
    this.#state = 'leading'
    this.#leading$.next(true)
  }

  #handleLoss(): void {
    if (this.#state === 'over') return
    this.#end()
    for (const { shard } of this.#slots) this.assignment.leave(shard)
    this.#leading$.next(false)
    this.#leading$.complete()
  }

  /**
   * Takes over shard 0 from replicas with another number of shards, and waits until those have ended; see {@link
   * Resharding}.
   */
  async #reshard(): Promise<void> {
    const { clock, identity } = this.#options
    const [first] = this.#group.shards
    const lease = first?.observed.lease
    if (first === undefined || lease === undefined) return
    const why = `${describeLease(first)} records another number of shards (${shardCountOf(lease)})`
    for (const { term } of this.#slots) term?.lose(why)
    if (this.#state === 'over' || this.#draining) return
    this.#logOnce(`${why}: standing by until its replicas have ended`)
    if (first.observed.holder !== identity && first.observed.isHeld(clock.now())) return
    const shardCount = this.#resharding.next(lease, clock.now())
    await this.#calls.attempt(
      (limits) => this.#group.claim(first, shardCount, limits),
      `${why}, and was not taken`,
    )
  }

  #logOnce(message: string): void {
    if (message !== this.#lastLogged) this.#options.logger.info({}, message)
    this.#lastLogged = message
  }
}

const notReleased = 'the Leases of the shards were not released: they have to expire'

const reason = (error: unknown) => ({ reason: String(error) })
