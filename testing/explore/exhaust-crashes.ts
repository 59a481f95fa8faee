import { crashPhases, type Disturbance } from '../faults/injected-fault.js'
import type { Scenario } from '../scenario/scenario.js'
import { exhaust, type ScenarioReport } from './exhaust.js'

/**
 * Kills the plugin at every one of its writes (before it is sent, when it is done but not answered, once it is
 * answered) and when it has come to rest after every step, and starts it again; and it lets every step happen while the
 * plugin is down. Each time the clusters must end as
 * they do undisturbed, with every object created and deleted as often, and nothing may be written that is not the
 * plugin's own. Throws `ScenarioFailure` with the schedules that end otherwise.
 *
 * The method is that of Sieve's intermediate states (OSDI '22), with both clusters in this process and virtual time.
 */
export function exhaustCrashes(scenario: Scenario): Promise<ScenarioReport> {
  return exhaust(scenario, ({ writes }) => {
    const crashes = writes.flatMap(({ n }) =>
      crashPhases.map((when): Disturbance[] => [{ type: 'crash', write: n, when }]),
    )
    const stops = Object.keys(scenario.steps).flatMap((_, index): Disturbance[][] => [
      [{ type: 'restart', step: index + 1 }],
      [{ type: 'down', step: index + 1 }],
    ])
    return [...crashes, ...stops]
  })
}
