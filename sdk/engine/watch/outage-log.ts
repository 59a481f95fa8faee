import type { NetworkError } from '../kube/network-error.js'
import { type Logger, silentLogger } from '../observe/logger.js'
import { ReminderPace } from '../observe/reminder-pace.js'
import { type Clock, systemClock } from '../time/clock.js'

/**
 * How long failures are collected before an outage is reported, in milliseconds: all watches of a lost connection fail
 * at nearly the same time.
 */
const collectMs = 300

const wholeMessage = 'the cluster does not answer; trying again until it does'
const partMessage = 'watches of the cluster broke off; trying again'

/** Options of {@link OutageLog}. */
export interface OutageLogOptions {
  /** The name of the cluster; default none. */
  cluster?: string
  /** Default silent. */
  logger?: Logger
  /** Default the machine's clock. */
  clock?: Clock
}

/** A watch, as the log of outages knows it. */
export interface LoggedWatch {
  /** The resource in words, for example `configmaps`. */
  readonly resource: string
}

/**
 * Reports an outage of one cluster once for all watches of the cluster, and not once for each watch: when it begins,
 * with the number of kinds, rarely while it lasts, and when all watches go on. Watches call it when they fail, and when
 * the API server answers them.
 */
export class OutageLog {
  readonly #cluster: string
  readonly #logger: Logger
  readonly #clock: Clock
  readonly #pace: ReminderPace
  readonly #watches = new Set<LoggedWatch>()
  /** The watches that have failed and have had no answer since. */
  readonly #failed = new Set<LoggedWatch>()
  /** The resources of all watches that have failed during the outage. */
  readonly #resources = new Set<string>()
  /** Whether all watches have failed, and none has had an answer since. */
  #isWhole = false
  #error: NetworkError | undefined
  #cancelReport: (() => void) | undefined

  constructor({ cluster = '', logger = silentLogger, clock = systemClock }: OutageLogOptions) {
    this.#cluster = cluster
    this.#logger = logger
    this.#clock = clock
    this.#pace = new ReminderPace(clock)
  }

  /** Adds a watch; {@link leave} removes it. */
  join(watch: LoggedWatch): void {
    this.#watches.add(watch)
  }

  /** Removes a watch that has ended for good. */
  leave(watch: LoggedWatch): void {
    this.#watches.delete(watch)
    this.#failed.delete(watch)
    if (this.#failed.size === 0) this.#forget()
  }

  /** Records that a watch failed because of the network. */
  recordFailure(watch: LoggedWatch, error: NetworkError): void {
    this.#failed.add(watch)
    this.#isWhole ||= this.#failed.size === this.#watches.size
    this.#resources.add(watch.resource)
    this.#error = error
    if (this.#cancelReport) return
    if (this.#pace.lastsSeconds !== undefined) this.#report()
    else this.#cancelReport = this.#clock.schedule(collectMs, () => this.#report())
  }

  /** Records that the API server answered a watch; returns whether the watch had failed. */
  recordAnswer(watch: LoggedWatch): boolean {
    if (!this.#failed.delete(watch)) return false
    if (this.#failed.size > 0) {
      this.#isWhole = false
      return true
    }
    if (this.#cancelReport) this.#report()
    const { lastsSeconds: lastedSeconds } = this.#pace
    this.#logger.info({ ...this.#facts(), lastedSeconds }, 'the cluster answers again')
    this.#forget()
    return true
  }

  /** Reports the outage if that is worth a line now. */
  #report(): void {
    this.#cancelReport?.()
    this.#cancelReport = undefined
    const { lastsSeconds } = this.#pace
    // A server that comes back with another certificate needs a cure, so that it is reported at once.
    const cause = this.#error?.isOfCertificates ? 'certificates' : 'network'
    if (!this.#pace.record(`${this.#isWhole ? 'whole' : 'part'} ${cause}`)) return
    this.#logger.warn(
      { ...this.#facts(), error: this.#error, ...(lastsSeconds !== undefined && { lastsSeconds }) },
      this.#isWhole ? wholeMessage : partMessage,
    )
  }

  /** The cluster, and its resource or the number of its resources. */
  #facts() {
    const [resource] = this.#resources
    const count = this.#resources.size
    return {
      ...(this.#cluster && { cluster: this.#cluster }),
      ...(count === 1 ? { resource } : { kinds: count }),
    }
  }

  #forget(): void {
    this.#cancelReport?.()
    this.#cancelReport = undefined
    this.#pace.end()
    this.#isWhole = false
    this.#resources.clear()
    this.#error = undefined
  }
}
