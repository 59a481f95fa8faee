/**
 * Shares work between replicas: each shard has a Lease, and each replica one that says that it lives.
 *
 * It promises that a shard has one holder at a time, that a replica holds its fair share as soon as those who hold more
 * have finished what runs in what they give, and that no shard is led while its Lease says another number of shards than
 * ours. It leaves to `ShardShare` what is served and written meanwhile.
 */
import { type Observable, ReplaySubject } from 'rxjs'
import { isAlreadyExists, isConflict, isNotFound, PluginError } from '../kube/error.js'
import { formatKey } from '../kube/key.js'
import { fairShare } from './fair-share.js'
import { Layout } from './layout.js'
import type { Leadership } from './leadership.js'
import { type GroupLease, LeaseGroup, type LeaseGroupOptions } from './lease-group.js'
import { layoutOf } from './lease-record.js'
import { checkLeaseTimes, type LeaseTimes, leaseDefaults } from './lease-times.js'
import { limitedCall } from './limited-call.js'
import { ShardShare } from './shard-share.js'
import { Tenure } from './tenure.js'

/** Options of {@link shardLeadership}. */
export interface ShardLeadershipOptions
  extends LeaseTimes,
    Pick<LeaseGroupOptions, 'client' | 'lease' | 'count'> {}

/** The most shards there may be: each costs its holder a write every two seconds. */
export const mostShards = 64

/**
 * Leads a share of `count` shards, applying for it from now on until released. A replica that joins or leaves moves as
 * few shards as can be; one that is to be given away is given when the runs in it have ended, or after a renew deadline.
 *
 * Losing one shard otherwise is losing all: whoever stood still must begin anew. Throws a `PluginError` `INVALID_LEASE_TIMES` as
 * {@link leaseLeadership} does, and `INVALID_SHARDS` unless `count` is an integer from 2 to 64.
 */
export function shardLeadership(
  options: ShardLeadershipOptions,
): Leadership & { readonly share: ShardShare } {
  return new ShardLeadership(options)
}

/** One shard as this replica has it. */
interface Seat {
  readonly shard: number
  readonly lease: GroupLease
  /** Set while it is led. */
  tenure?: Tenure | undefined
  /** Since when it is to be given away. */
  leavingSinceMs?: number | undefined
}

const standbyJitter = 0.2
const hurryFactor = 4

class ShardLeadership implements Leadership {
  readonly share: ShardShare
  readonly #options: Required<LeaseTimes> & Pick<ShardLeadershipOptions, 'count'>
  readonly #group: LeaseGroup
  readonly #layout: Layout
  readonly #seats: readonly Seat[]
  readonly #leading$ = new ReplaySubject<boolean>(1)
  readonly #stop = new AbortController()
  #state: 'waiting' | 'leading' | 'over' = 'waiting'
  #retired = false
  #failed = false
  /** What was said last about waiting, so that it is said once. */
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
    this.#layout = new Layout(known)
    this.#seats = this.#group.shards.map((lease, shard) => ({ shard, lease }))
    const deadline = (shard: number) => this.#seats[shard]?.tenure?.deadline() ?? Number.NEGATIVE_INFINITY
    const holder = (shard: number) => this.#holderOf(shard)
    this.share = new ShardShare({ count: known.count, deadline, holder, onQuiet: () => this.#hurry() })
    this.#round = this.#makeRound()
  }

  get leader$(): Observable<boolean> {
    return this.#leading$.asObservable()
  }

  deadline(): number {
    return this.share.deadlineOfWork()()
  }

  retire(): void {
    this.#retired = true
    for (const { shard } of this.#seats) this.share.leave(shard)
    this.#hurry()
  }

  async release(): Promise<void> {
    this.#end()
    await this.#round
    for (const seat of this.#seats) this.#vacate(seat)
    await this.#freeAll().catch((error) => this.#options.logger.warn(reason(error), notReleased))
  }

  /** Whoever died holds a Lease no more, although its name still stands there. */
  #holderOf(shard: number): string {
    const sighting = this.#seats[shard]?.lease.sighting
    return sighting?.isHeld(this.#options.clock.now()) ? sighting.holder : ''
  }

  #end(): void {
    this.#state = 'over'
    this.#cancelRound()
    this.#stop.abort(new Error('leadership is over'))
  }

  /** Makes the next round at once, or right after the one under way. */
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
    if (looked) await Promise.all([this.#showUp(), this.#act(startedAtMs), ...this.#sweep()])
    else this.#failed = true
    if (this.#state === 'over' || this.#hurried) return
    this.#cancelRound = this.#options.clock.schedule(this.#pauseMs(), () => this.#nextRound())
  }

  async #act(startedAtMs: number): Promise<void> {
    const [first] = this.#seats
    if (first && this.#isToBeFound(first)) return this.#found(first, startedAtMs)
    if (!this.#layout.isOurs(first?.lease.sighting.lease)) return this.#changeLayout()
    await Promise.all(this.#seats.map((seat) => this.#tend(seat, startedAtMs)))
    if (!this.#retired) await this.#balance(startedAtMs)
  }

  /** The Lease of shard 0 is not there, and nobody else who held it may still write. */
  #isToBeFound({ tenure, lease: { sighting } }: Seat): boolean {
    return !sighting.lease && (tenure !== undefined || !sighting.isHeld(this.#options.clock.now()))
  }

  /** Nothing else is taken before the Lease of shard 0 says how many there are. */
  async #found(first: Seat, startedAtMs: number): Promise<void> {
    if (this.#retired) return
    await this.#claim(first, startedAtMs)
    this.#hurry()
  }

  /** Renews what is held, or lets go of what is to be given away and has come to rest. */
  async #tend(seat: Seat, startedAtMs: number): Promise<void> {
    const { tenure, lease, leavingSinceMs = startedAtMs } = seat
    if (tenure === undefined) return
    const { holder } = lease.sighting
    if (holder !== '' && holder !== this.#options.identity)
      return tenure.lose(`${words(lease)} is held by ${holder}`)
    const isLeaving = this.#retired || seat.leavingSinceMs !== undefined
    if (isLeaving && this.share.isQuiet(seat.shard)) return this.#giveAway(seat)
    if (startedAtMs - leavingSinceMs >= this.#options.renewDeadlineMs) return this.#vacate(seat)
    await this.#claim(seat, startedAtMs)
  }

  /** The gate is closed first: nothing can be written after the Lease is free. */
  async #giveAway(seat: Seat): Promise<void> {
    this.#vacate(seat)
    const freed = await this.#attempt(
      (signal) => this.#group.free(seat.lease, signal),
      `${words(seat.lease)} was not released: it has to expire`,
    )
    if (freed) this.#options.logger.info({ shard: seat.shard }, 'shard given away')
  }

  #vacate(seat: Seat): void {
    seat.tenure?.giveUp()
    seat.tenure = undefined
    seat.leavingSinceMs = undefined
    this.share.leave(seat.shard)
  }

  async #balance(startedAtMs: number): Promise<void> {
    const { count, clock, identity } = this.#options
    const { replicas, rank } = this.#group.ages
    const wanted = fairShare({ count, replicas, rank })
    const serving = this.#seats.filter((seat) => seat.tenure && seat.leavingSinceMs === undefined)
    // What belongs to no key is done where shard 0 is, so that stays where it is.
    const kept = serving[0]?.shard === 0 ? Math.max(wanted, 1) : wanted
    for (const seat of serving.slice(kept)) this.#leave(seat)
    const isFree = ({ tenure, lease: { sighting } }: Seat) =>
      !tenure && (sighting.holder === identity || !sighting.isHeld(clock.now()))
    const first = rank * Math.ceil(count / replicas)
    const free = [...this.#seats.slice(first), ...this.#seats.slice(0, first)].filter(isFree)
    const taken = free.slice(0, Math.max(0, wanted - serving.length))
    await Promise.all(taken.map((seat) => this.#claim(seat, startedAtMs)))
    if (this.#state === 'waiting' && taken.length === 0) this.#say('others have all shards: standing by')
  }

  #leave(seat: Seat): void {
    seat.leavingSinceMs = this.#options.clock.now()
    this.share.leave(seat.shard)
    if (this.share.isQuiet(seat.shard)) this.#hurry()
  }

  /** A deadline counts from before the round looked, because what was seen then may have changed since. */
  async #claim(seat: Seat, startedAtMs: number): Promise<void> {
    const { renewDeadlineMs, count } = this.#options
    const claimed = await this.#attempt(
      (signal) => this.#group.claim(seat.lease, String(count), signal),
      `${words(seat.lease)} could not be claimed, trying again`,
    )
    if (!claimed || this.#state === 'over') return
    const tenure = seat.tenure ?? this.#newTenure(seat)
    tenure.hold(startedAtMs + renewDeadlineMs)
    if (seat.tenure || !tenure.leading) return
    seat.tenure = tenure
    this.#gained(seat)
  }

  #newTenure({ shard, lease }: Seat): Tenure {
    const { clock, logger, renewDeadlineMs } = this.#options
    const expired = `${words(lease)} could not be renewed for ${renewDeadlineMs / 1000} s`
    const tenure = new Tenure({ clock, logger: logger.child({ shard }), expired })
    tenure.leader$.subscribe((leads) => leads || this.#lost())
    return tenure
  }

  #gained({ shard }: Seat): void {
    if (this.#retired) return
    this.share.gain(shard)
    if (this.#state !== 'waiting') return
    this.#state = 'leading'
    this.#leading$.next(true)
  }

  #lost(): void {
    if (this.#state === 'over') return
    this.#end()
    for (const { shard } of this.#seats) this.share.leave(shard)
    this.#leading$.next(false)
    this.#leading$.complete()
  }

  /** Takes shard 0 from another layout, which is then given the time to end; see {@link Layout}. */
  async #changeLayout(): Promise<void> {
    const { clock, identity } = this.#options
    const [first] = this.#group.shards
    const lease = first?.sighting.lease
    if (first === undefined || lease === undefined) return
    const why = `${words(first)} counts shards otherwise (${layoutOf(lease)})`
    for (const { tenure } of this.#seats) tenure?.lose(why)
    if (this.#state === 'over' || this.#retired) return
    this.#say(`${why}: standing by until those who do so have ended`)
    if (first.sighting.holder !== identity && first.sighting.isHeld(clock.now())) return
    const layout = this.#layout.next(lease, clock.now())
    await this.#attempt((signal) => this.#group.claim(first, layout, signal), `${why}, and was not taken`)
  }

  /** Tells the others that we live, or that we go. */
  async #showUp(): Promise<void> {
    const { own } = this.#group
    const { count } = this.#options
    if (this.#retired) await this.#attempt((signal) => this.#group.remove(own, signal), notRemoved)
    else
      await this.#attempt(
        (signal) => this.#group.claim(own, String(count), signal),
        `${words(own)} could not be renewed`,
      )
  }

  /** Whoever has shard 0 removes what replicas have left that are gone. */
  #sweep(): Promise<unknown>[] {
    if (!this.#seats[0]?.tenure) return []
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

  /** Whether a call succeeded. That another was faster is no failure. */
  async #attempt(call: (signal: AbortSignal) => Promise<unknown>, failure: string): Promise<boolean> {
    try {
      await this.#limited(call, this.#stop.signal)
      return true
    } catch (error) {
      if (this.#state === 'over' || isSomebodyFaster(error)) return false
      this.#failed = true
      this.#options.logger.warn(reason(error), failure)
      return false
    }
  }

  /** Gives a call half the renew deadline, so that after one that hangs there is time for another. */
  #limited<T>(call: (signal: AbortSignal) => Promise<T>, stop?: AbortSignal): Promise<T> {
    const { clock, renewDeadlineMs } = this.#options
    return limitedCall({ clock, limitMs: renewDeadlineMs / 2, stop }, call)
  }
}

const notReleased = 'the Leases of the shards were not released: they have to expire'
const notRemoved = 'the Lease of a replica that is gone could not be removed'

const isSomebodyFaster = (error: unknown) => isConflict(error) || isAlreadyExists(error) || isNotFound(error)

const words = ({ key }: GroupLease) => `Lease ${formatKey(key)}`

const reason = (error: unknown) => ({ reason: String(error) })

function checkCount(count: number): void {
  if (Number.isInteger(count) && count >= 2 && count <= mostShards) return
  throw new PluginError('INVALID_SHARDS', `shards must be an integer from 2 to ${mostShards}, got ${count}`)
}
