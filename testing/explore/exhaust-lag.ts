import type { InjectedFault } from '../faults/injected-fault.js'
import type { Scenario } from '../scenario/scenario.js'
import { exhaust } from './exhaust.js'
import type { ScenarioReport } from './scenario-report.js'

/**
 * Delays the watch events of one cluster: the events of a step arrive when the next step is over. Each run delays one step
 * in one cluster. The plugin acts on an old state meanwhile and must end in the right one. Throws {@link ScenarioFailure}
 * with the runs that failed.
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
export function exhaustStaleness(scenario: Scenario): Promise<ScenarioReport> {
  return exhaust(scenario, () => lags(scenario, ['late']))
}

/**
 * Drops the watch events of one step in one cluster: when the next step is over, the connection breaks and the history is
 * compacted, so that the plugin must list again. Further runs deliver the events of a step twice. Throws
 * {@link ScenarioFailure} with the runs that failed.
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
export function exhaustLostEvents(scenario: Scenario): Promise<ScenarioReport> {
  return exhaust(scenario, () => lags(scenario, ['lost', 'repeated']))
}

function lags(scenario: Scenario, types: readonly ('late' | 'lost' | 'repeated')[]): InjectedFault[][] {
  return types.flatMap((type) =>
    (['virtual', 'host'] as const).flatMap((cluster) =>
      Object.keys(scenario.steps).map((_, index): InjectedFault[] => [{ type, cluster, step: index + 1 }]),
    ),
  )
}
