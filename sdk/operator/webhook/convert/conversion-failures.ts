import type { Logger } from '../../../engine/observe/logger.js'
import { ReminderPace } from '../../../engine/observe/reminder-pace.js'
import type { Clock } from '../../../engine/time/clock.js'
import { errorOutline } from '../../../engine/webhook/server/error-outline.js'

/** The failures of one pair of versions since the last line of the log. */
interface PairFailures {
  readonly pace: ReminderPace
  count: number
}

/**
 * Logs failures of conversions. Users write the objects that fail, and each list converts all of them, so a pair of
 * versions has a line at once and then a line after pauses of up to 16 minutes, with the number of failures.
 */
export class ConversionFailures {
  readonly #kind: string
  readonly #logger: Logger
  readonly #clock: Clock
  readonly #pairs = new Map<string, PairFailures>()

  /** `kind` is the kind of the objects, for the log. */
  constructor(kind: string, { logger, clock }: { logger: Logger; clock: Clock }) {
    this.#kind = kind
    this.#logger = logger
    this.#clock = clock
  }

  /** Records a failure. */
  report(versions: { from: string; to: string }, error: unknown): void {
    const pair = `${versions.from} ${versions.to}`
    const failures = this.#pairs.get(pair) ?? { pace: new ReminderPace(this.#clock), count: 0 }
    this.#pairs.set(pair, failures)
    failures.count++
    // The pace never ends: objects that fail and others that do not come in turn.
    if (!failures.pace.record(pair)) return
    const { count } = failures
    failures.count = 0
    const fields = { kind: this.#kind, ...versions, failures: count, error: errorOutline(error) }
    this.#logger.warn(fields, 'a conversion failed; fields that the other version lacks may be lost')
  }
}
