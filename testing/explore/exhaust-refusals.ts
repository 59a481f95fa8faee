import type { InjectedFault } from '../faults/injected-fault.js'
import type { Scenario } from '../scenario/scenario.js'
import { exhaust } from './exhaust.js'
import type { ScenarioReport } from './scenario-report.js'

/**
 * Refuses each call of the plugin once with 503, as an overloaded server does, and each write once with 409, as after a
 * concurrent write. Further runs drop the answer of each write once. Throws {@link ScenarioFailure} with the runs that failed.
 *
 * @example
 * ```ts
 * const greeting = { metadata: { namespace: 'default', name: 'greeting' } }
 * await exhaustRefusals({
 *   register: (plugin, ctx) => plugin.register(mirrorDown(ctx, configMaps)),
 *   steps: { 'a ConfigMap is created': ({ virtual }) => virtual.create(configMaps, greeting) },
 * })
 * ```
 */
export function exhaustRefusals(scenario: Scenario): Promise<ScenarioReport> {
  return exhaust(scenario, ({ calls, writes }) => {
    const unavailable = Array.from({ length: calls }, (_, i): InjectedFault[] => [
      { type: 'refuse', call: i + 1, code: 503 },
    ])
    const conflicts = writes.map(({ call }): InjectedFault[] => [{ type: 'refuse', call, code: 409 }])
    const dropped = writes.map(({ n }): InjectedFault[] => [{ type: 'drop', write: n }])
    return [...unavailable, ...conflicts, ...dropped]
  })
}
