import type { Client } from '../client/client.js'
import { type Lease, leases } from '../kube/builtin.js'
import { isConflict, isNotFound } from '../kube/error.js'
import { formatKey, type Key } from '../kube/key.js'
import { ReminderPace } from '../observe/reminder-pace.js'
import type { Leadership } from './leadership.js'
import { LeadershipTerm } from './leadership-term.js'
import { claimedLease, freeLease, holderOf, newLease, withShardCount } from './lease-record.js'
import { checkLeaseTimes, type LeaseTimes, leaseDefaults } from './lease-times.js'
import { type CallLimits, limitedCall } from './limited-call.js'
import { ObservedLease } from './observed-lease.js'
import { Resharding } from './resharding.js'

/** Options of {@link leaseLeadership}. */
export interface LeaseLeadershipOptions extends LeaseTimes {
  /** Reads and writes the Lease. It must have no write gate of this leadership, because it writes before it leads. */
  client: Pick<Client, 'get' | 'create' | 'update'>
  /** The key of the Lease. */
  lease: Key
}

/**
 * Leads while this process holds a Lease, and tries to acquire the Lease until released. Renewals of other processes
 * are timed by this process's monotonic clock from when they were read, so clocks may differ. A renewal is one write
 * and no read.
 *
 * `release()` frees the Lease; call it after the last write. Throws a `PluginError` `INVALID_LEASE_TIMES` unless
 * `leaseDurationMs` > `renewDeadlineMs` > `retryPeriodMs` > 0. The rules are those of client-go's leader election:
 * https://pkg.go.dev/k8s.io/client-go/tools/leaderelection
 */
export function leaseLeadership(options: LeaseLeadershipOptions): Leadership {
  return new LeaseLeadership(options)
}

const standbyJitter = 1.2
const hurryFactor = 4

class LeaseLeadership implements Leadership {
  readonly #options: Required<LeaseLeadershipOptions>
  readonly #words: string
  readonly #term: LeadershipTerm
  readonly #stop = new AbortController()
  /** The Lease as this process last wrote it; undefined when the next attempt must read it. */
  #written: Lease | undefined
  /** The Lease as another process last wrote it. */
  readonly #observed: ObservedLease
  /** Replicas that share the work in shards use this Lease for shard 0. */
  readonly #resharding: Resharding
  /** Set before each write, because a write that failed may still have been applied. */
  #mayHold = false
  /** Logs attempts that fail one after the other at once, and then rarely. */
  readonly #failures: ReminderPace
  #attempt: Promise<void>
  #cancelAttempt = () => {}

  constructor(options: LeaseLeadershipOptions) {
    this.#options = { ...leaseDefaults(), ...options }
    const { clock, logger, lease, renewDeadlineMs } = this.#options
    checkLeaseTimes(this.#options)
    this.#observed = new ObservedLease(this.#options)
    this.#failures = new ReminderPace(clock)
    this.#resharding = new Resharding({ ...this.#options, count: 1 })
    this.#words = `Lease ${formatKey(lease)}`
    const expired = `${this.#words} could not be renewed for ${renewDeadlineMs / 1000} s`
    this.#term = new LeadershipTerm({ clock, logger, expired })
    this.leader$.subscribe({ complete: () => this.#stopTrying() })
    this.#attempt = this.#try()
  }

  get leader$() {
    return this.#term.leader$
  }

  deadline(): number {
    return this.#term.deadline()
  }

  async release(): Promise<void> {
    this.#term.giveUp()
    this.#stopTrying()
    await this.#attempt
    if (!this.#mayHold) return
    this.#mayHold = false
    await this.#free()
  }

  #stopTrying(): void {
    this.#cancelAttempt()
    this.#stop.abort(new Error('leadership is over'))
  }

  async #try(): Promise<void> {
    if (this.#term.expireIfDue()) return
    const { clock, renewDeadlineMs } = this.#options
    const startedAtMs = clock.now()
    const claimed = await this.#limited((limits) => this.#renew(limits), this.#stop.signal).then(
      (isOurs) => this.#logAnswer(isOurs),
      (error) => this.#logFailure(error),
    )
    if (claimed) this.#term.hold(startedAtMs + renewDeadlineMs)
    else this.#written = undefined
    if (this.#term.over) return
    this.#cancelAttempt = clock.schedule(this.#pauseMs(), () => {
      this.#attempt = this.#try()
    })
  }

  /** Claims the Lease; resolves with whether this process holds it now. */
  async #claim(limits: CallLimits): Promise<boolean> {
    const { client, lease: key, identity, leaseDurationMs, clock } = this.#options
    const claim = { identity, leaseDurationMs, now: clock.date() }
    const lease = this.#written ?? (await this.#read(limits))
    if (this.#isHeldByOther(lease)) return false
    this.#mayHold = true
    const shardCount = this.#resharding.next(lease, clock.now())
    this.#written =
      lease === undefined
        ? await client.create(leases, newLease(key, claim), limits)
        : await client.update(leases, withShardCount(claimedLease(lease, claim), shardCount), limits)
    return this.#resharding.isOurs(this.#written)
  }

  /** Renews the Lease; if it changed since the last write, reads it at once. */
  async #renew(limits: CallLimits): Promise<boolean> {
    if (this.#written === undefined) return this.#claim(limits)
    try {
      return await this.#claim(limits)
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error
      this.#written = undefined
      return this.#claim(limits)
    }
  }

  async #read(limits: CallLimits): Promise<Lease | undefined> {
    const { client, lease } = this.#options
    try {
      return await client.get(leases, lease, limits)
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  #isHeldByOther(lease: Lease | undefined): boolean {
    const holder = lease === undefined ? '' : holderOf(lease)
    if (holder === this.#options.identity) return false
    if (holder === '') return this.#mayFormerHolderWrite(lease)
    this.#observe(lease, holder)
    if (this.#term.leading) {
      this.#term.lose(`${this.#words} is held by ${holder}`)
      return true
    }
    return this.#observed.isHeld(this.#options.clock.now())
  }

  /**
   * Whether the Lease was deleted or emptied while another replica held it; that replica may still write. `false` if
   * this process held the Lease.
   */
  #mayFormerHolderWrite(lease: Lease | undefined): boolean {
    if (this.#term.leading) return false
    const nowMs = this.#options.clock.now()
    this.#observed.observe(lease, nowMs)
    return this.#observed.isHeld(nowMs)
  }

  #observe(lease: Lease | undefined, holder: string): void {
    if (holder !== this.#observed.holder && !this.#term.leading) {
      this.#options.logger.info(
        { holder },
        this.#options.hasEnded(holder)
          ? `${this.#words} is held by ${holder}, which has ended: taking over`
          : `${this.#words} is held by ${holder}: standing by until it expires`,
      )
    }
    this.#observed.observe(lease, this.#options.clock.now())
  }

  #pauseMs(): number {
    const { retryPeriodMs, random } = this.#options
    if (!this.#term.leading) return retryPeriodMs * (1 + standbyJitter * random())
    return this.#written === undefined ? retryPeriodMs / hurryFactor : retryPeriodMs
  }

  /** Records an attempt that was answered; returns whether this process holds the Lease. */
  #logAnswer(isOurs: boolean): boolean {
    const { lastsSeconds } = this.#failures
    this.#failures.end()
    if (lastsSeconds !== undefined)
      this.#options.logger.info({ lastedSeconds: lastsSeconds }, `${this.#words} can be reached again`)
    return isOurs
  }

  #logFailure(error: unknown): false {
    if (this.#term.over) return false
    const { logger } = this.#options
    const reason = String(error)
    const level = this.#failures.record(reason) ? 'warn' : 'debug'
    logger[level]({ reason }, `${this.#words} could not be claimed, trying again`)
    return false
  }

  async #free(): Promise<void> {
    const handBack = () => this.#limited((limits) => this.#handBack(limits))
    try {
      // An aborted renewal may still reach the server after our read: then read again.
      await handBack().catch((error) => (isConflict(error) ? handBack() : Promise.reject(error)))
    } catch (error) {
      this.#options.logger.warn(
        { reason: String(error) },
        `${this.#words} was not released: it has to expire`,
      )
    }
  }

  async #handBack(limits: CallLimits): Promise<void> {
    const { client, identity, clock } = this.#options
    const lease = await this.#read(limits)
    if (lease === undefined || holderOf(lease) !== identity) return
    await client.update(leases, freeLease(lease, clock.date()), limits)
  }

  /** Limits a call to half the renew deadline, so that a call that hangs leaves time for another. */
  #limited<T>(call: (limits: CallLimits) => Promise<T>, stop?: AbortSignal): Promise<T> {
    const { clock, renewDeadlineMs } = this.#options
    return limitedCall({ clock, limitMs: renewDeadlineMs / 2, stop }, call)
  }
}
