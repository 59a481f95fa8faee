import { openUntil } from '../engine/client/write-gate.js'
import { ClusterRuntime } from '../engine/cluster/cluster-runtime.js'
import type { Recorder } from '../engine/inspector/recorder.js'
import type { Logger } from '../engine/observe/logger.js'
import { MemoryGuard } from '../engine/observe/memory-guard.js'
import type { Metrics } from '../engine/observe/metrics.js'
import type { Clock } from '../engine/time/clock.js'
import type { AppliedFields } from '../engine/watch/applied-fields.js'
import type { InternalOperatorOptions, OpenedClusters } from './operator-options.js'

/** Options of {@link operatorClusters}. */
export interface OperatorClustersOptions {
  options: Pick<InternalOperatorOptions, 'memory' | 'namespace'>
  /** The monotonic time in milliseconds after which no write may start; asked each time. */
  deadline: () => number
  appliedFields: AppliedFields
  /** Receives each write, if the operator is inspected. */
  recorder: Recorder | undefined
  logger: Logger
  metrics: Metrics
  clock: Clock
}

/** Makes the clusters of an operator, which share one write gate and one memory guard. */
export function operatorClusters(
  { transports }: OpenedClusters,
  { options, deadline, recorder, ...shared }: OperatorClustersOptions,
): ClusterRuntime[] {
  const { memory, namespace } = options
  const { clock } = shared
  const cluster = {
    ...shared,
    gate: openUntil({ deadline, clock }),
    ...(namespace !== undefined && { namespace }),
    ...(memory && { memory: new MemoryGuard({ memory, clock }) }),
    ...(recorder && { onWritten: recorder.written.bind(recorder) }),
  }
  return [...transports].map(([name, transport]) => new ClusterRuntime({ name, transport, ...cluster }))
}
