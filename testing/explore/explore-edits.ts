import { stateDifferences } from '../compare/state-differences.js'
import { describeWrite, type RecordedWrite } from '../recorder/recorded-write.js'
import { targetPath } from '../requests/request-target.js'
import type { OperatorHarness } from '../scenario/operator-harness.js'
import type { OperatorScenario } from '../scenario/operator-scenario.js'
import { stateWithoutGenerations } from '../scenario/state-without-generations.js'
import { afterSteps } from './after-steps.js'
import type { Changes } from './changes.js'
import { type IntendedLeaf, intendedLeaves, otherValues } from './intended-leaves.js'
import { lastApplies } from './last-applies.js'
import { ScenarioFailure } from './scenario-failure.js'

/**
 * After the last step, a user edits each field that the operator applied, one after the other, except those that
 * identify an item of a list. The operator must repair each with exactly one write, and change nothing else. Throws
 * {@link ScenarioFailure} with the fields for which it does not.
 */
export function exploreEdits(scenario: OperatorScenario): Promise<Changes> {
  return afterSteps(scenario, async (harness) => {
    const edited: string[] = []
    const refused: string[] = []
    const problems: string[] = []
    for (const write of lastApplies(harness.recorder.writes)) {
      // A later step, or the operator, has deleted it.
      if ((await harness.recorder.read(write.cluster, targetPath(write.target))) === undefined) continue
      for (const leaf of write.applied
        ? intendedLeaves(write.applied, write.after?.metadata.managedFields)
        : []) {
        const name = `${write.cluster} ${write.target.plural} ${write.target.namespace}/${write.target.name} ${leaf.path}`
        const editProblems = await problemsOfEdit(harness, write, leaf)
        if (editProblems) edited.push(name)
        else refused.push(name)
        problems.push(...(editProblems ?? []).map((problem) => `after an edit of ${name}: ${problem}`))
      }
    }
    if (problems.length > 0) throw new ScenarioFailure([{ faults: [], problems }])
    return { changes: edited, refused }
  })
}

/** Edits one field. Returns what is wrong afterwards; undefined if the field cannot be edited. */
async function problemsOfEdit(
  harness: OperatorHarness,
  { cluster, target }: RecordedWrite,
  { path, value }: IntendedLeaf,
): Promise<string[] | undefined> {
  const { recorder } = harness
  // An edit and its repair are two changes of the spec, so generations differ.
  const before = await stateWithoutGenerations(recorder)
  if (!(await isEdited(harness, { cluster, path: targetPath(target) }, { path, value }))) return undefined
  const sent = recorder.writes.length
  await harness.settle()
  const writes = recorder.writes
    .slice(sent)
    .filter((write) => write.cluster === cluster && targetPath(write.target) === targetPath(target))
    .filter((write) => write.target.subresource === '')
  const count =
    writes.length === 1
      ? []
      : [`${writes.length} writes instead of one: ${writes.map(describeWrite).join(', ')}`]
  return [...stateDifferences(await stateWithoutGenerations(recorder), before), ...count]
}

interface ObjectAddress {
  cluster: string
  path: string
}

/** Gives the leaf the first other value that the API server takes. */
async function isEdited(
  harness: OperatorHarness,
  object: ObjectAddress,
  { path, value }: IntendedLeaf,
): Promise<boolean> {
  for (const other of otherValues(value))
    if (await isPatched(harness, object, [{ op: 'replace', path, value: other }])) return true
  return false
}

/** The statuses with which an API server, an admission policy or a webhook refuses an edit. */
const refusals: ReadonlySet<number> = new Set([400, 403, 422])

async function isPatched(
  harness: OperatorHarness,
  { cluster, path }: ObjectAddress,
  patch: readonly object[],
): Promise<boolean> {
  const answer = await harness.recorder.userTransport(cluster).request({
    method: 'PATCH',
    path,
    headers: { 'content-type': 'application/json-patch+json' },
    body: JSON.stringify(patch),
  })
  if (answer.status < 300) return true
  if (refusals.has(answer.status)) return false
  throw new Error(`PATCH ${path}: the API server answered ${answer.status}`)
}
