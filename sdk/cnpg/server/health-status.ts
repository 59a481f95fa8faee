import type { Implementations } from '../../engine/grpc/server.js'
import { type HealthDefinition, ServingStatus } from '../../engine/health/proto/gen/health.js'

/** The answers of `grpc.health.v1`: whether the plugin serves. Open streams of `Watch` get each change. */
export class HealthStatus {
  #status: ServingStatus = ServingStatus.NOT_SERVING
  readonly #watchers = new Set<() => void>()

  /** The methods for the server. */
  readonly methods: Implementations<typeof HealthDefinition> = {
    check: () => ({ status: this.#status }),
    watch: (_request, stream) => {
      const report = () => stream.send({ status: this.#status })
      report()
      this.#watchers.add(report)
      stream.signal.addEventListener('abort', () => this.#watchers.delete(report), { once: true })
    },
  }

  /** Changes the status, and reports it to the open streams. */
  set(isServing: boolean): void {
    const status = isServing ? ServingStatus.SERVING : ServingStatus.NOT_SERVING
    if (status === this.#status) return
    this.#status = status
    for (const report of this.#watchers) report()
  }
}
