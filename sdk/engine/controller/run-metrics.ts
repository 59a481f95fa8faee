import type { Counter, Histogram, Metrics } from '../observe/metrics.js'
import type { RunResult } from './run-end.js'

/** Options of {@link RunMetrics}. */
export interface RunMetricsOptions {
  /** The label `controller`. */
  name: string
  metrics: Metrics
}

/**
 * Metrics of the runs of a controller, under controller-runtime's names:
 * https://github.com/kubernetes-sigs/controller-runtime/blob/main/pkg/internal/controller/metrics/metrics.go
 */
export class RunMetrics {
  readonly #controller: { controller: string }
  readonly #total: Counter
  readonly #errors: Counter
  readonly #terminalErrors: Counter
  readonly #nameConflicts: Counter
  readonly #rejections: Counter
  readonly #timeouts: Counter
  readonly #seconds: Histogram

  constructor({ name, metrics }: RunMetricsOptions) {
    this.#controller = { controller: name }
    const counter = (name: string, help: string, ...more: string[]) =>
      metrics.counter({ name, help, labelNames: ['controller', ...more] })
    this.#total = counter('controller_runtime_reconcile_total', 'Runs of a key, by how they ended.', 'result')
    this.#errors = counter('controller_runtime_reconcile_errors_total', 'Runs of a key that failed.')
    this.#terminalErrors = counter(
      'controller_runtime_terminal_reconcile_errors_total',
      'Runs of a key that failed and are not tried again before something changes.',
    )
    this.#nameConflicts = counter(
      'sync_name_conflicts_total',
      'Objects that were not written because a foreign object has the name.',
    )
    this.#rejections = counter(
      'controller_runtime_reconcile_panics_total',
      'Rejections of promises that a run did not wait for.',
    )
    this.#timeouts = counter(
      'controller_runtime_reconcile_timeouts_total',
      'Runs of a key that were aborted because they took too long.',
    )
    this.#seconds = metrics.histogram({
      name: 'controller_runtime_reconcile_time_seconds',
      help: 'How long a run of a key took.',
      labelNames: ['controller'],
    })
  }

  recordEnd(result: RunResult): void {
    this.#total.add({ ...this.#controller, result })
    if (result === 'error' || result === 'terminal_error') this.#errors.add(this.#controller)
    if (result === 'terminal_error') this.#terminalErrors.add(this.#controller)
  }

  /** A foreign object was met, for the first time. */
  recordNameConflict(): void {
    this.#nameConflicts.add(this.#controller)
  }

  recordRejection(): void {
    this.#rejections.add(this.#controller)
  }

  recordTimeout(): void {
    this.#timeouts.add(this.#controller)
  }

  recordDuration(durationMs: number): void {
    this.#seconds.observe(this.#controller, durationMs / 1000)
  }
}

/** Registers the gauges of the workers of a controller: how many there are, and how many run a key. */
export function registerWorkerGauges(
  { name, metrics }: RunMetricsOptions,
  { max, active }: { max: number; active: () => number },
): void {
  const labelNames = ['controller']
  metrics.gauge({
    name: 'controller_runtime_max_concurrent_reconciles',
    help: 'How many keys are served at a time at most.',
    labelNames,
    follow: (gauge) => gauge.set({ controller: name }, max),
  })
  metrics.gauge({
    name: 'controller_runtime_active_workers',
    help: 'How many keys are served at the moment.',
    labelNames,
    follow: (gauge) => gauge.set({ controller: name }, active()),
  })
}
