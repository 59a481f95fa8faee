import type { MetricOptions, Metrics } from '../observe/metrics.js'
import type { Clock } from '../time/clock.js'

/** Why a watch was restarted. */
export type RestartReason =
  | 'closed'
  | 'expired'
  | 'silent'
  | 'refused'
  | 'unserved'
  | 'broken'
  | 'restored'
  | 'full'

/** The metrics of a watch, by cluster and resource. */
export class WatchMetrics {
  readonly #labels: { cluster: string; resource: string }
  readonly #clock: Clock
  readonly #lists
  readonly #streams
  readonly #objects

  constructor(labels: { cluster: string; resource: string }, metrics: Metrics, clock: Clock) {
    this.#labels = labels
    this.#clock = clock
    const optionsOf = (metric: string, help: string) => ({
      name: `watch_${metric}`,
      help,
      labelNames: Object.keys(labels),
    })
    this.#lists = listMetrics(metrics, optionsOf)
    this.#streams = streamMetrics(metrics, optionsOf)
    this.#objects = objectMetrics(metrics, optionsOf)
  }

  /** Records that a list of `objects` objects was read to its end. */
  recordList(startedMs: number, objects: number): void {
    this.#lists.read.add(this.#labels)
    this.#lists.objects.set(this.#labels, objects)
    this.#lists.seconds.observe(this.#labels, (this.#clock.now() - startedMs) / 1000)
    this.recordEvent()
  }

  /** Records whether the watch waits for its kind to be served. */
  setWaiting(isWaiting: boolean): void {
    this.#objects.waiting.set(this.#labels, isWaiting ? 1 : 0)
  }

  recordOpen(): void {
    this.#streams.accepted.add(this.#labels)
    this.#streams.opened.set(this.#labels, this.#unixSeconds())
  }

  /** Records that the API server ended a watch right after accepting it. */
  recordShort(): void {
    this.#streams.short.add(this.#labels)
  }

  recordRestart(reason: RestartReason): void {
    this.#streams.restarts.add({ ...this.#labels, reason })
  }

  recordEvent(): void {
    this.#streams.lastEvent.set(this.#labels, this.#unixSeconds())
  }

  recordUnexpected(): void {
    this.#objects.unexpected.add(this.#labels)
  }

  /** Sets the number of objects of the kind that are left out for lack of memory. */
  setLeftOut(objects: number): void {
    this.#objects.leftOut.set(this.#labels, objects)
  }

  /** The current time, in seconds since 1970. */
  #unixSeconds(): number {
    return this.#clock.date().getTime() / 1000
  }
}

/** The options of a metric, by the rest of its name and by its help text. */
type MetricOptionsOf = (metric: string, help: string) => MetricOptions & { labelNames: readonly string[] }

function listMetrics(metrics: Metrics, optionsOf: MetricOptionsOf) {
  return {
    read: metrics.counter(optionsOf('lists_total', 'Lists read to their end.')),
    seconds: metrics.histogram({
      ...optionsOf(
        'list_duration_seconds',
        'How long a list took, from its first request to its last object.',
      ),
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60],
    }),
    objects: metrics.gauge(optionsOf('list_objects', 'Objects of the last list.')),
  }
}

function streamMetrics(metrics: Metrics, optionsOf: MetricOptionsOf) {
  const restarts = optionsOf('restarts_total', 'Watches begun again, by reason.')
  return {
    accepted: metrics.counter(optionsOf('streams_total', 'Watches that the API server accepted.')),
    opened: metrics.gauge(
      optionsOf('opened_timestamp_seconds', 'When the API server accepted the watch of now, in Unix time.'),
    ),
    short: metrics.counter(
      optionsOf('short_streams_total', 'Watches that the API server ended within a second.'),
    ),
    restarts: metrics.counter({ ...restarts, labelNames: [...restarts.labelNames, 'reason'] }),
    lastEvent: metrics.gauge(
      optionsOf(
        'last_event_timestamp_seconds',
        'When the watch last sent an event or a bookmark, in Unix time.',
      ),
    ),
  }
}

/** The objects that do not reach the stores, and why. */
function objectMetrics(metrics: Metrics, optionsOf: MetricOptionsOf) {
  return {
    unexpected: metrics.counter(
      optionsOf(
        'unexpected_objects_total',
        'Objects left out because they are of another kind or namespace.',
      ),
    ),
    leftOut: metrics.gauge(
      optionsOf('left_out_objects', 'Objects left out of the stores because memory is short.'),
    ),
    waiting: metrics.gauge(
      optionsOf('kind_waiting', 'Whether a kind is not served, so that its controllers wait.'),
    ),
  }
}
