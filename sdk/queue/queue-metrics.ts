import type { Clock } from '../observe/clock.js'
import type { Metrics } from '../observe/metrics.js'
import type { KeyLine, Priority, WaitingKey } from './key-line.js'

const DURATION_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300]

/**
 * What a queue tells about itself, under the names client-go gave these metrics:
 * https://github.com/kubernetes/component-base/blob/master/metrics/prometheus/workqueue/metrics.go
 */
export class QueueMetrics {
  readonly #labels: { name: string }
  readonly #clock: Clock
  readonly #depth
  readonly #adds
  readonly #retries
  readonly #queueSeconds
  readonly #workSeconds
  readonly #unfinishedSeconds
  readonly #longestSeconds

  constructor(name: string, metrics: Metrics, clock: Clock) {
    this.#labels = { name }
    this.#clock = clock
    const named = (metric: string, help: string) => ({
      name: `workqueue_${metric}`,
      help,
      labelNames: ['name'],
    })
    const buckets = DURATION_BUCKETS
    this.#depth = metrics.gauge({
      ...named('depth', 'Keys that wait for a worker, by what rang them.'),
      labelNames: ['name', 'priority'],
    })
    this.#adds = metrics.counter(named('adds_total', 'Keys put into the queue.'))
    this.#retries = metrics.counter(named('retries_total', 'Keys put back because their run failed.'))
    this.#queueSeconds = metrics.histogram({
      ...named('queue_duration_seconds', 'How long a key waited for a worker.'),
      buckets,
    })
    this.#workSeconds = metrics.histogram({
      ...named('work_duration_seconds', 'How long the run of a key took.'),
      buckets,
    })
    this.#unfinishedSeconds = metrics.gauge(
      named(
        'unfinished_work_seconds',
        'Time spent so far in the runs under way, when one last began or ended.',
      ),
    )
    this.#longestSeconds = metrics.gauge(
      named('longest_running_processor_seconds', 'Age of the oldest run, when one last began or ended.'),
    )
  }

  added(line: KeyLine): void {
    this.#adds.add(this.#labels)
    for (const priority of ['live', 'background'] as const) this.#depthOf(line, priority)
  }

  retried(): void {
    this.#retries.add(this.#labels)
  }

  taken({ sinceMs, priority }: WaitingKey, line: KeyLine): void {
    this.#queueSeconds.observe(this.#labels, this.#secondsSince(sinceMs))
    this.#depthOf(line, priority)
  }

  done(runningSinceMs: number): void {
    this.#workSeconds.observe(this.#labels, this.#secondsSince(runningSinceMs))
  }

  /** `startedMs` are the starts of the runs under way, oldest first. */
  running(startedMs: Iterable<number>): void {
    const seconds = Array.from(startedMs, (start) => this.#secondsSince(start))
    this.#unfinishedSeconds.set(
      this.#labels,
      seconds.reduce((sum, one) => sum + one, 0),
    )
    this.#longestSeconds.set(this.#labels, seconds[0] ?? 0)
  }

  #depthOf(line: KeyLine, priority: Priority): void {
    this.#depth.set({ ...this.#labels, priority }, line.sizeOf(priority))
  }

  #secondsSince(startMs: number): number {
    return (this.#clock.now() - startMs) / 1000
  }
}
