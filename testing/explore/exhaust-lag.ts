import type { InjectedFault } from '../faults/injected-fault.js'
import { type AnyScenario, isOperatorScenario, type ScenarioRun } from '../scenario/run-scenario.js'
import { exhaust } from './exhaust.js'
import type { ScenarioReport } from './scenario-report.js'

/**
 * Delays the watch events of one cluster: the events of a step arrive when the next step is over. Each run delays one
 * step in one cluster. The plugin acts on an old state meanwhile and must end in the right one. Throws {@link
 * ScenarioFailure} with the runs that failed.
 *
 * @example
 * ```ts
 * const greeting = { metadata: { namespace: 'default', name: 'greeting' } }
 * await exhaustStaleness({
 *   register: (plugin, ctx) => plugin.register(mirrorDown(ctx, configMaps)),
 *   steps: { 'a ConfigMap is created': ({ virtual }) => virtual.create(configMaps, greeting) },
 * })
 * ```
 */
export function exhaustStaleness(scenario: AnyScenario): Promise<ScenarioReport> {
  return exhaust(scenario, (reference) => lags(scenario, reference, ['late']))
}

/**
 * Drops the watch events of one step in one cluster: when the next step is over, the connection breaks and the history
 * is compacted, so that the program must list again. Further runs deliver the events of a step twice, and for an
 * operator break all watches when a write is answered. Throws {@link ScenarioFailure} with the runs that failed.
 *
 * @example
 * ```ts
 * const greeting = { metadata: { namespace: 'default', name: 'greeting' } }
 * await exhaustLostEvents({
 *   register: (plugin, ctx) => plugin.register(mirrorDown(ctx, configMaps)),
 *   steps: { 'a ConfigMap is created': ({ virtual }) => virtual.create(configMaps, greeting) },
 * })
 * ```
 */
export function exhaustLostEvents(scenario: AnyScenario): Promise<ScenarioReport> {
  return exhaust(scenario, (reference) => {
    const cuts = reference.writes.map(({ n }): InjectedFault[] => [{ type: 'cut', write: n }])
    return [...lags(scenario, reference, ['lost', 'repeated']), ...(isOperatorScenario(scenario) ? cuts : [])]
  })
}

type LagType = 'late' | 'lost' | 'repeated'

function lags(scenario: AnyScenario, reference: ScenarioRun, types: readonly LagType[]): InjectedFault[][] {
  return types.flatMap((type) =>
    reference.watchScopes.flatMap((cluster) =>
      Object.keys(scenario.steps).map((_, index): InjectedFault[] => [{ type, cluster, step: index + 1 }]),
    ),
  )
}
