import type { Lease } from '../kube/builtin.js'
import { holderOf, isReleased } from './lease-record.js'
import type { LeaseTimes } from './lease-times.js'

/**
 * A Lease as last read, and how long its spec has not changed. Times are of this process's clock, because clocks of two
 * machines may differ.
 */
export class ObservedLease {
  readonly #leaseDurationMs: number
  readonly #hasEnded: (identity: string) => boolean
  #lease: Lease | undefined
  #record = ''
  #sinceMs = 0
  /** The time until which the last holder may still write, although the Lease was deleted or emptied. */
  #leftUntilMs = Number.NEGATIVE_INFINITY

  /** `leaseDurationMs` applies to a Lease without `leaseDurationSeconds`. */
  constructor({ leaseDurationMs, hasEnded }: Pick<Required<LeaseTimes>, 'leaseDurationMs' | 'hasEnded'>) {
    this.#leaseDurationMs = leaseDurationMs
    this.#hasEnded = hasEnded
  }

  /** The Lease; undefined if it does not exist. */
  get lease(): Lease | undefined {
    return this.#lease
  }

  /** The holder's identity; `''` if the Lease is free. */
  get holder(): string {
    return this.#lease ? holderOf(this.#lease) : ''
  }

  /** Records the Lease as read at a time of `Clock.now()`. Any change of its spec counts as a renewal. */
  observe(lease: Lease | undefined, nowMs: number): void {
    this.#leftUntilMs = lease && isReleased(lease) ? Number.NEGATIVE_INFINITY : this.#heldUntilMs
    const record = JSON.stringify(lease?.spec ?? {})
    if (record !== this.#record) this.#sinceMs = nowMs
    this.#record = record
    this.#lease = lease
  }

  /**
   * Whether a holder may still write. A holder that did not release the Lease may write until the Lease expires, even
   * if it was deleted or emptied since, unless it is known to have ended.
   */
  isHeld(nowMs: number): boolean {
    return nowMs < this.#heldUntilMs && !(this.holder !== '' && this.#hasEnded(this.holder))
  }

  get #heldUntilMs(): number {
    if (this.holder === '') return this.#leftUntilMs
    const durationMs = (this.#lease?.spec?.leaseDurationSeconds ?? 0) * 1000 || this.#leaseDurationMs
    return this.#sinceMs + durationMs
  }
}
