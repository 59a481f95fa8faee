import type { Client } from '../client/client.js'
import { type Lease, leases } from '../kube/builtin.js'
import { isConflict, isNotFound } from '../kube/error.js'
import { formatKey, type Key } from '../kube/key.js'
import { Layout } from './layout.js'
import type { Leadership } from './leadership.js'
import { claimedLease, freeLease, holderOf, newLease, withLayout } from './lease-record.js'
import { LeaseSighting } from './lease-sighting.js'
import { checkLeaseTimes, type LeaseTimes, leaseDefaults } from './lease-times.js'
import { limitedCall } from './limited-call.js'
import { Tenure } from './tenure.js'

/** Options of {@link leaseLeadership}. */
export interface LeaseLeadershipOptions extends LeaseTimes {
  /** Reads and writes the Lease; must not be gated by this leadership, since it writes before it leads. */
  client: Pick<Client, 'get' | 'create' | 'update'>
  /** Which Lease. */
  lease: Key
}

/**
 * Leads while it holds a Lease, applying for it from now on until released. Renewals of others are timed from
 * the moment we saw them, by our own monotonic clock, so that clocks may differ. Renewing is one write, no read.
 *
 * `release()` frees the Lease; call it when nothing is written any more. Throws a `PluginError`
 * `INVALID_LEASE_TIMES` unless `leaseDurationMs` > `renewDeadlineMs` > `retryPeriodMs` > 0.
 * The rules are those of client-go's leader election: https://pkg.go.dev/k8s.io/client-go/tools/leaderelection
 */
export function leaseLeadership(options: LeaseLeadershipOptions): Leadership {
  return new LeaseLeadership(options)
}

const standbyJitter = 1.2
const hurryFactor = 4

class LeaseLeadership implements Leadership {
  readonly #options: Required<LeaseLeadershipOptions>
  readonly #words: string
  readonly #tenure: Tenure
  readonly #stop = new AbortController()
  /** The Lease as we last wrote it; none when the next attempt has to read it. */
  #written: Lease | undefined
  /** What another wrote into the Lease. */
  readonly #seen: LeaseSighting
  /** Those who share the work in shards hold the same Lease, one of them. */
  readonly #layout: Layout
  /** Set before each write, because one that failed may still have been done. */
  #mayHold = false
  #attempt: Promise<void>
  #cancelAttempt = () => {}

  constructor(options: LeaseLeadershipOptions) {
    this.#options = { ...leaseDefaults(), ...options }
    const { clock, logger, lease, renewDeadlineMs } = this.#options
    checkLeaseTimes(this.#options)
    this.#seen = new LeaseSighting(this.#options.leaseDurationMs)
    this.#layout = new Layout({ ...this.#options, count: 1 })
    this.#words = `Lease ${formatKey(lease)}`
    const expired = `${this.#words} could not be renewed for ${renewDeadlineMs / 1000} s`
    this.#tenure = new Tenure({ clock, logger, expired })
    this.leader$.subscribe({ complete: () => this.#stopTrying() })
    this.#attempt = this.#try()
  }

  get leader$() {
    return this.#tenure.leader$
  }

  deadline(): number {
    return this.#tenure.deadline()
  }

  async release(): Promise<void> {
    this.#tenure.giveUp()
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
    const { clock, renewDeadlineMs } = this.#options
    const startedAtMs = clock.now()
    const claimed = await this.#limited((signal) => this.#renew(signal), this.#stop.signal).catch((error) =>
      this.#logFailure(error),
    )
    if (claimed) this.#tenure.hold(startedAtMs + renewDeadlineMs)
    else this.#written = undefined
    if (this.#tenure.over) return
    this.#cancelAttempt = clock.schedule(this.#pauseMs(), () => {
      this.#attempt = this.#try()
    })
  }

  /** Whether the Lease is ours now. */
  async #claim(signal: AbortSignal): Promise<boolean> {
    const { client, lease: key, identity, leaseDurationMs, clock } = this.#options
    const claim = { identity, leaseDurationMs, now: clock.date() }
    const lease = this.#written ?? (await this.#read(signal))
    if (this.#isTaken(lease)) return false
    this.#mayHold = true
    const layout = this.#layout.next(lease, clock.now())
    this.#written =
      lease === undefined
        ? await client.create(leases, newLease(key, claim), { signal })
        : await client.update(leases, withLayout(claimedLease(lease, claim), layout), { signal })
    return this.#layout.isOurs(this.#written)
  }

  /** Claims it; where the Lease is another than we wrote, looks at once whose it is. */
  async #renew(signal: AbortSignal): Promise<boolean> {
    if (this.#written === undefined) return this.#claim(signal)
    try {
      return await this.#claim(signal)
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error
      this.#written = undefined
      return this.#claim(signal)
    }
  }

  async #read(signal: AbortSignal): Promise<Lease | undefined> {
    const { client, lease } = this.#options
    try {
      return await client.get(leases, lease, { signal })
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  #isTaken(lease: Lease | undefined): boolean {
    const holder = lease === undefined ? '' : holderOf(lease)
    if (holder === this.#options.identity) return false
    if (holder === '') return this.#isLeft(lease)
    this.#see(lease, holder)
    if (this.#tenure.leading) {
      this.#tenure.lose(`${this.#words} is held by ${holder}`)
      return true
    }
    return this.#seen.isHeld(this.#options.clock.now())
  }

  /** Whether it was deleted or emptied under another who may still write. Under ourselves that changes nothing. */
  #isLeft(lease: Lease | undefined): boolean {
    if (this.#tenure.leading) return false
    const nowMs = this.#options.clock.now()
    this.#seen.see(lease, nowMs)
    return this.#seen.isHeld(nowMs)
  }

  #see(lease: Lease | undefined, holder: string): void {
    if (holder !== this.#seen.holder && !this.#tenure.leading) {
      this.#options.logger.info(
        { holder },
        `${this.#words} is held by ${holder}: standing by until it expires`,
      )
    }
    this.#seen.see(lease, this.#options.clock.now())
  }

  #pauseMs(): number {
    const { retryPeriodMs, random } = this.#options
    if (!this.#tenure.leading) return retryPeriodMs * (1 + standbyJitter * random())
    return this.#written === undefined ? retryPeriodMs / hurryFactor : retryPeriodMs
  }

  #logFailure(error: unknown): false {
    if (this.#tenure.over) return false
    this.#options.logger.warn({ reason: String(error) }, `${this.#words} could not be claimed, trying again`)
    return false
  }

  async #free(): Promise<void> {
    const handBack = () => this.#limited((signal) => this.#handBack(signal))
    try {
      // A renewal that was cut off may still be done after our read: then read again.
      await handBack().catch((error) => (isConflict(error) ? handBack() : Promise.reject(error)))
    } catch (error) {
      this.#options.logger.warn(
        { reason: String(error) },
        `${this.#words} was not released: it has to expire`,
      )
    }
  }

  async #handBack(signal: AbortSignal): Promise<void> {
    const { client, identity, clock } = this.#options
    const lease = await this.#read(signal)
    if (lease === undefined || holderOf(lease) !== identity) return
    await client.update(leases, freeLease(lease, clock.date()), { signal })
  }

  /** Gives a call half the renew deadline, so that after one that hangs there is time for another. */
  #limited<T>(call: (signal: AbortSignal) => Promise<T>, stop?: AbortSignal): Promise<T> {
    const { clock, renewDeadlineMs } = this.#options
    return limitedCall({ clock, limitMs: renewDeadlineMs / 2, stop }, call)
  }
}
