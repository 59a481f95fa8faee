import type { InjectedFault } from '../faults/injected-fault.js'
import { outside } from '../recorder/recorded-write.js'
import { type AnyScenario, isOperatorScenario, type ScenarioRun } from '../scenario/run-scenario.js'

/** The status codes with which each write of an operator is refused. */
const operatorCodes = [403, 404, 409, 410, 422, 429, 500]

/**
 * Refuses each call once with 503, as an overloaded server does, and each write once with each code of the program.
 * Further runs drop the answer of each write once.
 */
export function refusalSchedules({ calls, writes }: ScenarioRun, scenario: AnyScenario): InjectedFault[][] {
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
}
