import { crashPhases, type InjectedFault } from '../faults/injected-fault.js'
import type { AnyScenario } from '../scenario/run-scenario.js'
import { exhaust } from './exhaust.js'
import type { ScenarioReport } from './scenario-report.js'

/**
 * Kills and restarts the plugin at every write (before it is sent, when it is stored but not answered, and when it is
 * answered) and after every step, and runs every step once while the plugin is down. Each run has one crash.
 *
 * The clusters must end as in the reference run, with every object created and deleted as often, and the plugin may
 * write only its own objects. Throws {@link ScenarioFailure} with the runs that failed. The method is that of Sieve's
 * intermediate states (OSDI '22).
 *
 * @example
 * ```ts
 * const greeting = { metadata: { namespace: 'default', name: 'greeting' } }
 * const { runs, missed } = await exhaustCrashes({
 *   register: (plugin, ctx) => plugin.register(mirrorDown(ctx, configMaps)),
 *   steps: { 'a ConfigMap is created': ({ virtual }) => virtual.create(configMaps, greeting) },
 * })
 * console.log(`${runs} runs, ${missed.length} without their crash`)
 * ```
 */
export function exhaustCrashes(scenario: AnyScenario): Promise<ScenarioReport> {
  return exhaust(scenario, ({ writes }) => {
    const crashes = writes.flatMap(({ n }) =>
      crashPhases.map((when): InjectedFault[] => [{ type: 'crash', write: n, when }]),
    )
    const restarts = Object.keys(scenario.steps).flatMap((_, index): InjectedFault[][] => [
      [{ type: 'restart', step: index + 1 }],
      [{ type: 'down', step: index + 1 }],
    ])
    return [...crashes, ...restarts]
  })
}
