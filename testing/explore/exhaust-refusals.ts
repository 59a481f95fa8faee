import type { Disturbance } from '../faults/injected-fault.js'
import type { Scenario } from '../scenario/scenario.js'
import { exhaust, type ScenarioReport } from './exhaust.js'

/**
 * Refuses each call of the plugin once, with a 503 as from a server that is overloaded; each write once with a 409, as if
 * somebody had been quicker; and lets the answer of each write get lost while the plugin lives on. Throws
 * `ScenarioFailure` with the schedules that end otherwise than undisturbed.
 */
export function exhaustRefusals(scenario: Scenario): Promise<ScenarioReport> {
  return exhaust(scenario, ({ calls, writes }) => {
    const refused = Array.from({ length: calls }, (_, i): Disturbance[] => [
      { type: 'refuse', call: i + 1, code: 503 },
    ])
    const conflicts = writes.map(({ call }): Disturbance[] => [{ type: 'refuse', call, code: 409 }])
    const dropped = writes.map(({ n }): Disturbance[] => [{ type: 'drop', write: n }])
    return [...refused, ...conflicts, ...dropped]
  })
}
