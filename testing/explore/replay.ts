import { formatFaults, type InjectedFault, parseFaults } from '../faults/injected-fault.js'
import { type AnyScenario, isOperatorScenario, type ScenarioRun } from '../scenario/run-scenario.js'
import { ScenarioFailure } from './scenario-failure.js'
import { referenceRun, releaseReferences, verifiedRun } from './verified-run.js'

/**
 * Runs a scenario once with the schedule of a failure, for example `crash:3:unanswered`. Throws the same
 * {@link ScenarioFailure} again, or resolves if the scenario no longer fails. Rejects if the run does not come to the
 * place of a fault, for example because the scenario or the program now makes two writes: such a run proves
 * nothing.
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
  if (!isOperatorScenario(scenario)) checkFaultsOfPlugin(faults)
  const isUpgrade = faults.some(({ type }) => type === 'upgrade')
  const reference = isUpgrade ? await releaseReferences(scenario) : await referenceRun(scenario)
  const { problems, missed } = await verifiedRun(scenario, faults, reference)
  if (problems.length > 0) throw new ScenarioFailure([{ faults, problems }])
  if (missed.length > 0) throw missedError(missed, 'first' in reference ? reference.first : reference)
}

const faultsOfOperators: ReadonlySet<InjectedFault['type']> = new Set([
  'cut',
  'handover',
  'recreate',
  'flip',
  'upgrade',
  'downgrade',
  'rollback',
])

function checkFaultsOfPlugin(faults: readonly InjectedFault[]): void {
  const wrong = faults.filter(({ type }) => faultsOfOperators.has(type))
  if (wrong.length === 0) return
  throw new TypeError(
    `replay: only operators have the fault ${formatFaults(wrong)}, but the scenario is of a plugin`,
  )
}

function missedError(missed: readonly InjectedFault[], { writes, calls }: ScenarioRun): Error {
  const schedule = formatFaults(missed)
  return new Error(
    `replay: the run did not come to ${schedule}, so it proves nothing: without faults the scenario has ` +
      `${writes.length} writes and ${calls} calls. Find the place again with exhaust, or remove this replay`,
  )
}
