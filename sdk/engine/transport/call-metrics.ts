import { type Metrics, noMetrics } from '../observe/metrics.js'
import type { Clock } from '../time/clock.js'

/** Counts and times the calls of one transport. */
export interface CallMetrics {
  /** Records that a call begins. Call the returned function with the answer's status, or `<error>`. */
  start(method: string): (code: string) => void
}

/** Options of {@link callMetrics}. */
export interface CallMetricsOptions {
  /** Default none. */
  metrics?: Metrics
  clock: Clock
  /** The value of the label `cluster`. */
  cluster: string
}

/** The metrics of client-go under their own names (component-base, metrics/prometheus/restclient). */
export function callMetrics({ metrics = noMetrics, clock, cluster }: CallMetricsOptions): CallMetrics {
  const requests = metrics.counter({
    name: 'rest_client_requests_total',
    help: 'Number of HTTP requests by status code and method; watches count when they open.',
    labelNames: ['cluster', 'method', 'code'],
  })
  const seconds = metrics.histogram({
    name: 'rest_client_request_duration_seconds',
    help: 'Request latency in seconds, by method; of watches the time until they open.',
    labelNames: ['cluster', 'method'],
  })
  return {
    start(method) {
      const startMs = clock.now()
      return (code) => {
        requests.add({ cluster, method, code })
        seconds.observe({ cluster, method }, (clock.now() - startMs) / 1000)
      }
    },
  }
}
