import type { Lease } from '../kube/builtin.js'
import { holderOf, isReleased } from './lease-record.js'

/** A Lease as it was seen last, and since when it says so, by our own clock: clocks of two machines may differ. */
export class LeaseSighting {
  readonly #leaseDurationMs: number
  #lease: Lease | undefined
  #record = ''
  #sinceMs = 0
  /** Until when whoever held it may still write, although it was deleted or emptied. */
  #leftUntilMs = Number.NEGATIVE_INFINITY

  /** `leaseDurationMs` is for a Lease that does not say how long it holds. */
  constructor(leaseDurationMs: number) {
    this.#leaseDurationMs = leaseDurationMs
  }

  /** The Lease; undefined where there is none. */
  get lease(): Lease | undefined {
    return this.#lease
  }

  /** The holder's identity; `''` when it is free. */
  get holder(): string {
    return this.#lease ? holderOf(this.#lease) : ''
  }

  /** Looks at it at a time of `Clock.now()`. Whatever its spec says anew counts as a renewal. */
  see(lease: Lease | undefined, nowMs: number): void {
    this.#leftUntilMs = lease && isReleased(lease) ? Number.NEGATIVE_INFINITY : this.#heldUntilMs
    const record = JSON.stringify(lease?.spec ?? {})
    if (record !== this.#record) this.#sinceMs = nowMs
    this.#record = record
    this.#lease = lease
  }

  /**
   * Whether somebody holds it who may still be there. Whoever held it, and did not give it up, may go on until it would
   * have expired, also where it was deleted or emptied meanwhile.
   */
  isHeld(nowMs: number): boolean {
    return nowMs < this.#heldUntilMs
  }

  get #heldUntilMs(): number {
    if (this.holder === '') return this.#leftUntilMs
    const durationMs = (this.#lease?.spec?.leaseDurationSeconds ?? 0) * 1000 || this.#leaseDurationMs
    return this.#sinceMs + durationMs
  }
}
