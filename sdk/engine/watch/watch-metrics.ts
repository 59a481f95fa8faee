import type { Metrics } from '../observe/metrics.js'
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
  readonly #listSeconds
  readonly #listObjects
  readonly #streams
  readonly #shortStreams
  readonly #opened
  readonly #restarts
  readonly #lastEvent
  readonly #unexpected
  readonly #leftOut
  readonly #waiting

  constructor(labels: { cluster: string; resource: string }, metrics: Metrics, clock: Clock) {
    this.#labels = labels
    this.#clock = clock
    const named = (metric: string, help: string) => ({
      name: `watch_${metric}`,
      help,
      labelNames: Object.keys(labels),
    })
    this.#lists = metrics.counter(named('lists_total', 'Lists read to their end.'))
    this.#listSeconds = metrics.histogram({
      ...named('list_duration_seconds', 'How long a list took, from its first request to its last object.'),
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60],
    })
    this.#listObjects = metrics.gauge(named('list_objects', 'Objects of the last list.'))
    this.#streams = metrics.counter(named('streams_total', 'Watches that the API server accepted.'))
    this.#opened = metrics.gauge(
      named('opened_timestamp_seconds', 'When the API server accepted the watch of now, in Unix time.'),
    )
    this.#shortStreams = metrics.counter(
      named('short_streams_total', 'Watches that the API server ended within a second.'),
    )
    const restarts = named('restarts_total', 'Watches begun again, by reason.')
    this.#restarts = metrics.counter({ ...restarts, labelNames: [...restarts.labelNames, 'reason'] })
    this.#lastEvent = metrics.gauge(
      named('last_event_timestamp_seconds', 'When the watch last sent an event or a bookmark, in Unix time.'),
    )
    this.#unexpected = metrics.counter(
      named('unexpected_objects_total', 'Objects left out because they are of another kind or namespace.'),
    )
    this.#leftOut = metrics.gauge(
      named('left_out_objects', 'Objects left out of the stores because memory is short.'),
    )
    this.#waiting = metrics.gauge({
      name: 'watch_kind_waiting',
      help: 'Whether a kind is not served, so that its controllers wait.',
      labelNames: Object.keys(labels),
    })
  }

  /** A list of so many objects was read to its end. */
  listed(startedMs: number, objects: number): void {
    this.#lists.add(this.#labels)
    this.#listObjects.set(this.#labels, objects)
    this.#listSeconds.observe(this.#labels, (this.#clock.now() - startedMs) / 1000)
    this.heard()
  }

  /** Whether the kind is waited for. */
  waiting(isWaiting: boolean): void {
    this.#waiting.set(this.#labels, isWaiting ? 1 : 0)
  }

  opened(): void {
    this.#streams.add(this.#labels)
    this.#opened.set(this.#labels, this.#unixSeconds())
  }

  /** The API server ended a watch that it had only just accepted. */
  short(): void {
    this.#shortStreams.add(this.#labels)
  }

  restarted(reason: RestartReason): void {
    this.#restarts.add({ ...this.#labels, reason })
  }

  heard(): void {
    this.#lastEvent.set(this.#labels, this.#unixSeconds())
  }

  unexpected(): void {
    this.#unexpected.add(this.#labels)
  }

  /** Sets the number of objects of the kind that are left out for lack of memory. */
  leftOut(objects: number): void {
    this.#leftOut.set(this.#labels, objects)
  }

  #unixSeconds(): number {
    return this.#clock.date().getTime() / 1000
  }
}
