import type { Disturbance } from '../faults/injected-fault.js'
import type { Scenario } from '../scenario/scenario.js'
import { exhaust, type ScenarioReport } from './exhaust.js'

/**
 * Lets the watches of one cluster lag: what happens there during a step is told only when the next step is over. Each
 * cluster and each step has its run. The plugin acts on an old view meanwhile, and must end right when it catches up.
 * Throws `ScenarioFailure` with the schedules that end otherwise.
 */
export function exhaustStaleness(scenario: Scenario): Promise<ScenarioReport> {
  return exhaust(scenario, () => lags(scenario, ['late']))
}

/**
 * Keeps the events of a step from the plugin for good: when the next step is over the connection breaks, the history is
 * gone, and the plugin must list anew. And tells those of each step twice. Throws `ScenarioFailure` with the
 * schedules that end otherwise.
 */
export function exhaustLostEvents(scenario: Scenario): Promise<ScenarioReport> {
  return exhaust(scenario, () => lags(scenario, ['lost', 'repeated']))
}

function lags(scenario: Scenario, types: readonly ('late' | 'lost' | 'repeated')[]): Disturbance[][] {
  return types.flatMap((type) =>
    (['virtual', 'host'] as const).flatMap((cluster) =>
      Object.keys(scenario.steps).map((_, index): Disturbance[] => [{ type, cluster, step: index + 1 }]),
    ),
  )
}
