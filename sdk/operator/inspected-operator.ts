import type { ClusterRuntime } from '../engine/cluster/cluster-runtime.js'
import { controllersView } from '../engine/inspector/controllers-view.js'
import type { InspectableProgram } from '../engine/inspector/inspected.js'
import { inspectedWork } from '../engine/inspector/inspected-work.js'
import type { ProgramManager } from '../engine/manager/program-manager.js'
import type { Clock } from '../engine/time/clock.js'
import type { OperatorOptions } from './operator-options.js'

/** Options of {@link inspectedOperator}. */
export interface InspectedOperatorOptions {
  manager: ProgramManager
  clock: Clock
  options: Pick<OperatorOptions, 'name' | 'namespace'>
}

/** An operator as the inspector shows it. */
export function inspectedOperator(
  clusters: readonly ClusterRuntime[],
  { manager, clock, options }: InspectedOperatorOptions,
): InspectableProgram {
  const work = inspectedWork({ manager, clock, clusters })
  const running = () => manager.controllers.running
  return {
    clock,
    facts: { name: options.name, mode: 'operator', currentNamespace: options.namespace ?? null },
    views: [controllersView({ running, shardOf: work.shardOf, program: 'operator' })],
    isRunning: () => manager.isRunning,
    work,
  }
}
