import type { InjectedFault } from '../faults/injected-fault.js'
import { type AnyScenario, isOperatorScenario, type ScenarioRun } from '../scenario/run-scenario.js'

/** Delays the watch events of each step in each cluster until the next step is over. */
export function lateEventSchedules(reference: ScenarioRun, scenario: AnyScenario): InjectedFault[][] {
  return lagSchedules(scenario, reference, ['late'])
}

/**
 * Drops the watch events of each step in each cluster: when the next step is over, the connection breaks and the
 * history is compacted, so that the program must list again. Further runs deliver the events of a step twice, and for
 * an operator break all watches when a write is answered.
 */
export function lostEventSchedules(reference: ScenarioRun, scenario: AnyScenario): InjectedFault[][] {
  const cuts = reference.writes.map(({ n }): InjectedFault[] => [{ type: 'cut', write: n }])
  return [
    ...lagSchedules(scenario, reference, ['lost', 'repeated']),
    ...(isOperatorScenario(scenario) ? cuts : []),
  ]
}

type LagType = 'late' | 'lost' | 'repeated'

function lagSchedules(
  scenario: AnyScenario,
  reference: ScenarioRun,
  types: readonly LagType[],
): InjectedFault[][] {
  return types.flatMap((type) =>
    reference.watchScopes.flatMap((cluster) =>
      Object.keys(scenario.steps).map((_, index): InjectedFault[] => [{ type, cluster, step: index + 1 }]),
    ),
  )
}
