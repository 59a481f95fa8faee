import { type Disturbance, leavesNothingUnseen } from '../faults/injected-fault.js'
import { describeWrite, type Write } from '../requests/request-target.js'
import { differences } from '../scenario/end-state.js'
import type { Playthrough } from '../scenario/run-scenario.js'
import type { Scenario } from '../scenario/scenario.js'

/** What is wrong with a run that nothing disturbed, a sentence each. */
export function judgeAlone(
  { problems, writes, changes }: Playthrough,
  { writesPerChange = 3 }: Scenario,
): string[] {
  const budget = writesPerChange * Math.max(changes, 1)
  const about = writes.filter(isAboutObjects)
  const over =
    about.length > budget ? [`${about.length} writes for ${changes} changes, more than ${budget}`] : []
  return [...problems, ...over]
}

/** What is wrong with a run disturbed like this, held against the undisturbed one; a sentence each. */
export function judge(
  run: Playthrough,
  reference: Playthrough,
  disturbances: readonly Disturbance[],
): string[] {
  const counts = leavesNothingUnseen(disturbances) ? countDifferences(run.writes, reference.writes) : []
  return [
    ...run.problems,
    ...differences(run.state, reference.state),
    ...counts,
    ...overBudget(run, reference, leavesNothingUnseen(disturbances) ? 2 : 10),
  ]
}

/** What was done again after a crash costs a little, retries on an old view cost more, and a loop costs much. */
function overBudget(run: Playthrough, reference: Playthrough, times: number): string[] {
  const budget = times * reference.writes.length + 10
  return run.writes.length > budget
    ? [`${run.writes.length} writes, where the undisturbed run needed ${reference.writes.length}`]
    : []
}

function countDifferences(actual: readonly Write[], expected: readonly Write[]): string[] {
  const found = countsOf(actual)
  const wanted = countsOf(expected)
  return [...new Set([...found.keys(), ...wanted.keys()])]
    .filter((what) => (found.get(what) ?? 0) !== (wanted.get(what) ?? 0))
    .map((what) => `${what}: ${found.get(what) ?? 0} times, ${wanted.get(what) ?? 0} in the undisturbed run`)
}

/** How often each object was created and deleted: by these, not by the order, a run is known to have done the same. */
function countsOf(writes: readonly Write[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const write of writes) {
    if (!isAboutObjects(write) || write.status >= 300 || !isCreateOrDelete(write)) continue
    const what = describeWrite(write)
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }
  return counts
}

function isCreateOrDelete({ method, before, target }: Write): boolean {
  if (target.subresource !== '') return false
  return method === 'POST' || (method === 'PATCH' && before === undefined) || method === 'DELETE'
}

const passing = new Set(['events', 'leases'])
const isAboutObjects = ({ target }: Write) => !passing.has(target.plural)
