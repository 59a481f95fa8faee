/**
 * Shares work between replicas: each shard has a Lease, and each replica has one as its heartbeat.
 *
 * A shard has one holder at a time. A replica gets its fair share as soon as replicas that hold more have finished the runs in
 * the shards that they give away. No shard is led while its Lease records another number of shards. `ShardAssignment` keeps
 * what is served and may be written meanwhile.
 */
import { type Observable, ReplaySubject } from 'rxjs'
import { isAlreadyExists, isConflict, isNotFound, PluginError } from '../kube/error.js'
import { formatKey } from '../kube/key.js'
import { fairShare } from './fair-share.js'
import type { Leadership } from './leadership.js'
import { LeadershipTerm } from './leadership-term.js'
import { type GroupLease, LeaseGroup, type LeaseGroupOptions } from './lease-group.js'
import { shardCountOf } from './lease-record.js'
import { checkLeaseTimes, type LeaseTimes, leaseDefaults } from './lease-times.js'
import { limitedCall } from './limited-call.js'
import { Resharding } from './resharding.js'
import { ShardAssignment } from './shard-assignment.js'

/** Options of {@link shardLeadership}. */
export interface ShardLeadershipOptions
  extends LeaseTimes,
    Pick<LeaseGroupOptions, 'client' | 'lease' | 'count'> {}

/** The maximum number of shards: each costs its holder a write every two seconds. */
export const mostShards = 64

/**
 * Leads a share of `count` shards, and tries to acquire them until released. A replica that joins or leaves moves as few
 * shards as possible. A shard is given away when its runs have ended, or after a renew deadline.
 *
 * Losing a shard unexpectedly ends leadership of all shards; the process must restart. Throws a `PluginError` `INVALID_LEASE_TIMES` as
 * {@link leaseLeadership} does, and `INVALID_SHARDS` unless `count` is an integer from 2 to 64.
 */
export function shardLeadership(
  options: ShardLeadershipOptions,
): Leadership & { readonly share: ShardAssignment } {
  return new ShardLeadership(options)
}

/** The state of one shard in this replica. */
interface ShardSlot {
  readonly shard: number
  readonly lease: GroupLease
  /** Set while this replica leads the shard. */
  term?: LeadershipTerm | undefined
  /** Since when this replica waits to give the shard away. */
  leavingSinceMs?: number | undefined
}

const standbyJitter = 0.2
const hurryFactor = 4

class ShardLeadership implements Leadership {
  readonly share: ShardAssignment
  readonly #options: Required<LeaseTimes> & Pick<ShardLeadershipOptions, 'count'>
  readonly #group: LeaseGroup
  readonly #resharding: Resharding
  readonly #slots: readonly ShardSlot[]
  readonly #leading$ = new ReplaySubject<boolean>(1)
  readonly #stop = new AbortController()
  #state: 'waiting' | 'leading' | 'over' = 'waiting'
  #draining = false
  #failed = false
  /** The last message about waiting, which is logged once. */
  #said = ''
  #round: Promise<void>
  #hurried = false
  #cancelRound = () => {}

  constructor(options: ShardLeadershipOptions) {
    const known = { ...leaseDefaults(), ...options }
    checkLeaseTimes(known)
    checkCount(known.count)
    this.#options = known
    this.#group = new LeaseGroup(known)
    this.#resharding = new Resharding(known)
    this.#slots = this.#group.shards.map((lease, shard) => ({ shard, lease }))
    const deadline = (shard: number) => this.#slots[shard]?.term?.deadline() ?? Number.NEGATIVE_INFINITY
    const holder = (shard: number) => this.#holderOf(shard)
    this.share = new ShardAssignment({ count: known.count, deadline, holder, onQuiet: () => this.#hurry() })
    this.#round = this.#makeRound()
  }

  get leader$(): Observable<boolean> {
    return this.#leading$.asObservable()
  }

  deadline(): number {
    return this.share.deadline(0)
  }

  drain(): void {
    this.#draining = true
    for (const { shard } of this.#slots) this.share.leave(shard)
    this.#hurry()
  }

  async release(): Promise<void> {
    this.#end()
    await this.#round
    for (const slot of this.#slots) this.#vacate(slot)
    await this.#freeAll().catch((error) => this.#options.logger.warn(reason(error), notReleased))
  }

  /** The holder of a shard's Lease; `''` after it expired, although the Lease still has its name. */
  #holderOf(shard: number): string {
    const observed = this.#slots[shard]?.lease.observed
    return observed?.isHeld(this.#options.clock.now()) ? observed.holder : ''
  }

  #end(): void {
    this.#state = 'over'
    this.#cancelRound()
    this.#stop.abort(new Error('leadership is over'))
  }

  /** Starts the next round at once, or right after the one in progress. */
  #hurry(): void {
    this.#hurried = true
    this.#cancelRound()
    this.#cancelRound = this.#options.clock.schedule(0, () => this.#nextRound())
  }

  #nextRound(): void {
    this.#round = this.#round.then(() => (this.#state === 'over' ? undefined : this.#makeRound()))
  }

  async #makeRound(): Promise<void> {
    this.#cancelRound()
    this.#failed = false
    this.#hurried = false
    const startedAtMs = this.#options.clock.now()
    const looked = await this.#attempt((signal) => this.#group.look(signal), 'the Leases could not be read')
    if (looked) await Promise.all([this.#renewOwn(), this.#act(startedAtMs), ...this.#removeAbandoned()])
    else this.#failed = true
    if (this.#state === 'over' || this.#hurried) return
    this.#cancelRound = this.#options.clock.schedule(this.#pauseMs(), () => this.#nextRound())
  }

  async #act(startedAtMs: number): Promise<void> {
    const [first] = this.#slots
    if (first && this.#needsFirstLease(first)) return this.#createFirst(first, startedAtMs)
    if (!this.#resharding.isOurs(first?.lease.observed.lease)) return this.#reshard()
    await Promise.all(this.#slots.map((slot) => this.#renewOrGiveAway(slot, startedAtMs)))
    if (!this.#draining) await this.#balance(startedAtMs)
  }

  /** Whether shard 0 has no Lease, and no other replica that held it may still write. */
  #needsFirstLease({ term, lease: { observed } }: ShardSlot): boolean {
    return !observed.lease && (term !== undefined || !observed.isHeld(this.#options.clock.now()))
  }

  /** Creates the Lease of shard 0 first, because it records the number of shards. */
  async #createFirst(first: ShardSlot, startedAtMs: number): Promise<void> {
    if (this.#draining) return
    await this.#claim(first, startedAtMs)
    this.#hurry()
  }

  /** Renews a shard that this replica holds, or gives it away when it should and no run is in progress. */
  async #renewOrGiveAway(slot: ShardSlot, startedAtMs: number): Promise<void> {
    const { term, lease, leavingSinceMs = startedAtMs } = slot
    if (term === undefined) return
    const { holder } = lease.observed
    if (holder !== '' && holder !== this.#options.identity)
      return term.lose(`${words(lease)} is held by ${holder}`)
    const isLeaving = this.#draining || slot.leavingSinceMs !== undefined
    if (isLeaving && this.share.isQuiet(slot.shard)) return this.#giveAway(slot)
    if (startedAtMs - leavingSinceMs >= this.#options.renewDeadlineMs) return this.#vacate(slot)
    await this.#claim(slot, startedAtMs)
  }

  /** Ends the term first, so that nothing is written after the Lease is free. */
  async #giveAway(slot: ShardSlot): Promise<void> {
    this.#vacate(slot)
    const freed = await this.#attempt(
      (signal) => this.#group.free(slot.lease, signal),
      `${words(slot.lease)} was not released: it has to expire`,
    )
    if (freed) this.#options.logger.info({ shard: slot.shard }, 'shard given away')
  }

  #vacate(slot: ShardSlot): void {
    slot.term?.giveUp()
    slot.term = undefined
    slot.leavingSinceMs = undefined
    this.share.leave(slot.shard)
  }

  async #balance(startedAtMs: number): Promise<void> {
    const { count, clock, identity } = this.#options
    const { replicas, rank } = this.#group.ages
    const wanted = fairShare({ count, replicas, rank })
    const serving = this.#slots.filter((slot) => slot.term && slot.leavingSinceMs === undefined)
    // Work that is not tied to a key runs where shard 0 is, so shard 0 stays.
    const kept = serving[0]?.shard === 0 ? Math.max(wanted, 1) : wanted
    for (const slot of serving.slice(kept)) this.#leave(slot)
    const isFree = ({ term, lease: { observed } }: ShardSlot) =>
      !term && (observed.holder === identity || !observed.isHeld(clock.now()))
    const first = rank * Math.ceil(count / replicas)
    const free = [...this.#slots.slice(first), ...this.#slots.slice(0, first)].filter(isFree)
    const taken = free.slice(0, Math.max(0, wanted - serving.length))
    await Promise.all(taken.map((slot) => this.#claim(slot, startedAtMs)))
    if (this.#state === 'waiting' && taken.length === 0) this.#say('others have all shards: standing by')
  }

  #leave(slot: ShardSlot): void {
    slot.leavingSinceMs = this.#options.clock.now()
    this.share.leave(slot.shard)
    if (this.share.isQuiet(slot.shard)) this.#hurry()
  }

  /** The deadline counts from before the round read the Leases, because they may have changed since. */
  async #claim(slot: ShardSlot, startedAtMs: number): Promise<void> {
    const { renewDeadlineMs, count } = this.#options
    const claimed = await this.#attempt(
      (signal) => this.#group.claim(slot.lease, String(count), signal),
      `${words(slot.lease)} could not be claimed, trying again`,
    )
    if (!claimed || this.#state === 'over') return
    const term = slot.term ?? this.#newTerm(slot)
    term.hold(startedAtMs + renewDeadlineMs)
    if (slot.term || !term.leading) return
    slot.term = term
    this.#gained(slot)
  }

  #newTerm({ shard, lease }: ShardSlot): LeadershipTerm {
    const { clock, logger, renewDeadlineMs } = this.#options
    const expired = `${words(lease)} could not be renewed for ${renewDeadlineMs / 1000} s`
    const term = new LeadershipTerm({ clock, logger: logger.child({ shard }), expired })
    term.leader$.subscribe((leads) => leads || this.#lost())
    return term
  }

  #gained({ shard }: ShardSlot): void {
    if (this.#draining) return
    this.share.gain(shard)
    if (this.#state !== 'waiting') return
    this.#state = 'leading'
    this.#leading$.next(true)
  }

  #lost(): void {
    if (this.#state === 'over') return
    this.#end()
    for (const { shard } of this.#slots) this.share.leave(shard)
    this.#leading$.next(false)
    this.#leading$.complete()
  }

  /** Takes over shard 0 from replicas with another number of shards, and waits until those have ended; see {@link Resharding}. */
  async #reshard(): Promise<void> {
    const { clock, identity } = this.#options
    const [first] = this.#group.shards
    const lease = first?.observed.lease
    if (first === undefined || lease === undefined) return
    const why = `${words(first)} records another number of shards (${shardCountOf(lease)})`
    for (const { term } of this.#slots) term?.lose(why)
    if (this.#state === 'over' || this.#draining) return
    this.#say(`${why}: standing by until its replicas have ended`)
    if (first.observed.holder !== identity && first.observed.isHeld(clock.now())) return
    const shardCount = this.#resharding.next(lease, clock.now())
    await this.#attempt((signal) => this.#group.claim(first, shardCount, signal), `${why}, and was not taken`)
  }

  /** Renews the Lease of this replica, or deletes it when this replica leaves. */
  async #renewOwn(): Promise<void> {
    const { own } = this.#group
    const { count } = this.#options
    if (this.#draining) await this.#attempt((signal) => this.#group.remove(own, signal), notRemoved)
    else
      await this.#attempt(
        (signal) => this.#group.claim(own, String(count), signal),
        `${words(own)} could not be renewed`,
      )
  }

  /** The replica with shard 0 deletes the Leases of replicas that are gone. */
  #removeAbandoned(): Promise<unknown>[] {
    if (!this.#slots[0]?.term) return []
    return this.#group.abandoned.map((one) =>
      this.#attempt((signal) => this.#group.remove(one, signal), notRemoved),
    )
  }

  async #freeAll(): Promise<void> {
    await this.#limited((signal) => this.#group.look(signal))
    const { own, shards } = this.#group
    await Promise.all([
      ...shards.map((one) => this.#limited((signal) => this.#group.free(one, signal))),
      this.#limited((signal) => this.#group.remove(own, signal)),
    ])
  }

  #say(message: string): void {
    if (message !== this.#said) this.#options.logger.info({}, message)
    this.#said = message
  }

  #pauseMs(): number {
    const { retryPeriodMs, random } = this.#options
    if (this.#state !== 'leading') return retryPeriodMs * (1 + standbyJitter * random())
    return this.#failed ? retryPeriodMs / hurryFactor : retryPeriodMs
  }

  /** Makes a call; resolves with whether it succeeded. Losing a race to another replica is not logged. */
  async #attempt(call: (signal: AbortSignal) => Promise<unknown>, failure: string): Promise<boolean> {
    try {
      await this.#limited(call, this.#stop.signal)
      return true
    } catch (error) {
      if (this.#state === 'over' || isLostRace(error)) return false
      this.#failed = true
      this.#options.logger.warn(reason(error), failure)
      return false
    }
  }

  /** Limits a call to half the renew deadline, so that a call that hangs leaves time for another. */
  #limited<T>(call: (signal: AbortSignal) => Promise<T>, stop?: AbortSignal): Promise<T> {
    const { clock, renewDeadlineMs } = this.#options
    return limitedCall({ clock, limitMs: renewDeadlineMs / 2, stop }, call)
  }
}

const notReleased = 'the Leases of the shards were not released: they have to expire'
const notRemoved = 'the Lease of a replica that is gone could not be removed'

const isLostRace = (error: unknown) => isConflict(error) || isAlreadyExists(error) || isNotFound(error)

const words = ({ key }: GroupLease) => `Lease ${formatKey(key)}`

const reason = (error: unknown) => ({ reason: String(error) })

function checkCount(count: number): void {
  if (Number.isInteger(count) && count >= 2 && count <= mostShards) return
  throw new PluginError('INVALID_SHARDS', `shards must be an integer from 2 to ${mostShards}, got ${count}`)
}
