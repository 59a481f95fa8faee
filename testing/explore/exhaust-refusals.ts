import type { InjectedFault } from '../faults/injected-fault.js'
import { outside } from '../recorder/recorded-write.js'
import { type AnyScenario, isOperatorScenario } from '../scenario/run-scenario.js'
import { exhaust } from './exhaust.js'
import type { ScenarioReport } from './scenario-report.js'

/** The status codes with which each write of an operator is refused. */
const operatorCodes = [403, 404, 409, 410, 422, 429, 500]

/**
 * Refuses each call of the plugin once with 503, as an overloaded server does, and each write once with 409, as after a
 * concurrent write; each write of an operator also with 403, 404, 410, 422, 429 and 500. Further runs drop the answer
 * of each write once. Throws {@link ScenarioFailure} with the runs that failed.
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
export function exhaustRefusals(scenario: AnyScenario): Promise<ScenarioReport> {
  return exhaust(scenario, ({ calls, writes }) => {
    const unavailable = Array.from({ length: calls }, (_, i): InjectedFault[] => [
      { type: 'refuse', call: i + 1, code: 503 },
    ])
    const sent = writes.filter(({ cluster }) => cluster !== outside)
    const codes = isOperatorScenario(scenario) ? operatorCodes : [409]
    const refused = sent.flatMap(({ call }) =>
      codes.map((code): InjectedFault[] => [{ type: 'refuse', call, code }]),
    )
    const dropped = writes.map(({ n }): InjectedFault[] => [{ type: 'drop', write: n }])
    return [...unavailable, ...refused, ...dropped]
  })
}
