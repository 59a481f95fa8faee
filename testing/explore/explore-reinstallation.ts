import { createClient } from '../../sdk/engine/client/create-client.js'
import { customResourceDefinitions } from '../../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { stateDifferences } from '../compare/state-differences.js'
import { serveDefinitions } from '../operator/serve-definitions.js'
import type { OperatorHarness } from '../scenario/operator-harness.js'
import type { OperatorScenario } from '../scenario/operator-scenario.js'
import { created } from '../scenario/recreate.js'
import { stateWithoutGenerations } from '../scenario/state-without-generations.js'
import { afterSteps } from './after-steps.js'
import type { Changes } from './changes.js'
import { ScenarioFailure } from './scenario-failure.js'

/**
 * After each step, an administrator removes the definitions of the primary objects, which deletes these objects. Then
 * the definitions are installed again, and the objects are created again, as from a backup: with other UIDs. The
 * clusters must end as they were, and nothing may refer to the former objects. Throws {@link ScenarioFailure} with the
 * steps after which they do not. Definitions of kinds that the operator only reads stay. The changes are the objects
 * that were created again, for example `after a backup is created: backups daily`.
 */
export async function exploreReinstallation(scenario: OperatorScenario): Promise<Changes> {
  const steps = Object.keys(scenario.steps)
  const restored: string[] = []
  const problems: string[] = []
  for (const [i, step] of steps.entries()) {
    const failure = await afterSteps(
      scenario,
      (harness) => reinstall(scenario, harness),
      steps.slice(0, i + 1),
    )
    restored.push(...failure.restored.map((name) => `after ${step}: ${name}`))
    problems.push(...failure.problems.map((problem) => `after ${step}: ${problem}`))
  }
  if (problems.length > 0) throw new ScenarioFailure([{ faults: [], problems }])
  return { changes: restored, refused: [] }
}

/** The time in which an operator notices that a kind is gone or served again, in milliseconds of virtual time. */
const noticeMs = 60_000

/** Removes the definitions and brings everything back. Returns the restored objects and the differences. */
async function reinstall(
  { definitions = [] }: OperatorScenario,
  harness: OperatorHarness,
): Promise<{ restored: string[]; problems: string[] }> {
  const { client, recorder } = harness
  // The writes of this client are not recorded: definitions are not part of the end state.
  const administrator = createClient({ transport: inProcessTransport(harness.server) })
  const defined = definitions.map(({ metadata }) => metadata.name ?? '')
  const primaries = (await harness.verification()).primaries.filter((kind) => defined.includes(nameOf(kind)))
  const before = await stateWithoutGenerations(recorder)
  const backups: [Resource, KubeObject][] = []
  for (const kind of primaries)
    for (const object of (await client.listAll(kind)).items)
      if (object.metadata.deletionTimestamp === undefined) backups.push([kind, created(object)])
  for (const kind of primaries)
    await administrator.delete(customResourceDefinitions, { namespace: '', name: nameOf(kind) })
  await settleAfterChangeOfKinds(harness)
  await serveDefinitions(administrator, definitions)
  await settleAfterChangeOfKinds(harness)
  for (const [kind, object] of backups) await client.create(kind, object)
  await harness.settle()
  return {
    restored: backups.map(([{ plural }, { metadata }]) => `${plural} ${metadata.name}`),
    problems: stateDifferences(await stateWithoutGenerations(recorder), before),
  }
}

async function settleAfterChangeOfKinds(harness: OperatorHarness): Promise<void> {
  await harness.settle()
  await harness.replicas.advance(noticeMs)
  await harness.settle()
}

const nameOf = ({ plural, group }: Resource) => `${plural}.${group}`
