import { parseFaults } from '../faults/injected-fault.js'
import type { AnyScenario } from '../scenario/run-scenario.js'
import { ScenarioFailure } from './scenario-failure.js'
import { referenceRun, releaseReferences, verifiedRun } from './verified-run.js'

/**
 * Runs a scenario once with the schedule of a failure, for example `crash:3:unanswered`. Throws the same
 * {@link ScenarioFailure} again, or resolves if the scenario no longer fails.
 *
 * @example
 * ```ts
 * const greeting = { metadata: { namespace: 'default', name: 'greeting' } }
 * const scenario: Scenario = {
 *   register: (plugin, ctx) => plugin.register(mirrorDown(ctx, configMaps)),
 *   steps: { 'a ConfigMap is created': ({ virtual }) => virtual.create(configMaps, greeting) },
 * }
 * await replay(scenario, 'crash:3:unanswered')
 * ```
 */
export async function replay(scenario: AnyScenario, schedule: string): Promise<void> {
  const faults = parseFaults(schedule)
  const isUpgrade = faults.some(({ type }) => type === 'upgrade')
  const reference = isUpgrade ? await releaseReferences(scenario) : await referenceRun(scenario)
  const { problems } = await verifiedRun(scenario, faults, reference)
  if (problems.length > 0) throw new ScenarioFailure([{ faults, problems }])
}
