import { type ObjectTexts, stateDifferences } from '../compare/state-differences.js'
import { type InjectedFault, observesEveryObject } from '../faults/injected-fault.js'
import { describeWrite, isEventOrLease, outside, type RecordedWrite } from '../recorder/recorded-write.js'
import type { AnyScenario, ScenarioRun } from '../scenario/run-scenario.js'
import { withoutGenerations } from '../scenario/state-without-generations.js'
import { neverInstalled } from './never-installed.js'
import { operatorViolations } from './operator-safety.js'
import { duplicateCopies, safetyViolations } from './safety.js'

/** Verifies a run without faults. Returns a sentence per problem. */
export function verifyReference(run: ScenarioRun, scenario: AnyScenario): string[] {
  const { changes } = run
  const maxWrites = (scenario.writesPerChange ?? 3) * Math.max(changes, 1)
  const writes = run.writes.filter(isObjectWrite).length
  const tooMany =
    writes > maxWrites
      ? [`${writes} writes for ${changes} changes, but at most ${maxWrites} are allowed`]
      : []
  const { verification } = run
  const isOperator = verification.program === 'operator'
  const idle = isOperator ? neverInstalled(run.writes, verification) : []
  return [...verifyAlways(run, scenario, { mayWriteEvents: isOperator }), ...tooMany, ...idle]
}

/** Options of {@link verifyRun}. */
export interface VerifyOptions {
  scenario: AnyScenario
  /** The run without faults. */
  reference: ScenarioRun
  faults: readonly InjectedFault[]
}

/** Verifies a run with faults against the reference run. Returns a sentence per problem. */
export function verifyRun(run: ScenarioRun, { scenario, reference, faults }: VerifyOptions): string[] {
  const observesAll = observesEveryObject(faults)
  const isOperator = run.verification.program === 'operator'
  // A change that is taken back and made again counts as three generations.
  const state = faults.some(({ type }) => type === 'flip')
    ? withoutGenerations
    : (texts: ObjectTexts): ObjectTexts => texts
  return [
    ...verifyAlways(run, scenario, { mayWriteEvents: isOperator || faults.length > 0 }),
    ...stateDifferences(state(run.state), state(reference.state)),
    ...(observesAll ? countDifferences(run.writes, reference.writes) : []),
    ...tooManyWrites(run, reference, observesAll ? 2 : 10),
  ]
}

interface LateWriteOptions {
  /** Whether Events may be written in the quiet time: after a fault, a program tries to write them again. */
  readonly mayWriteEvents: boolean
}

/** The rules that hold in every run, whatever faults are injected. */
function verifyAlways(
  run: ScenarioRun,
  scenario: AnyScenario,
  { mayWriteEvents }: LateWriteOptions,
): string[] {
  return [
    ...programViolations(run, scenario),
    ...run.lateWrites
      .filter((write) => isObjectWrite(write) || !mayWriteEvents)
      .map((write) => `${describeWrite(write)}: no object had changed before this write`),
  ]
}

function programViolations(
  { writes, lateWrites, verification }: ScenarioRun,
  scenario: AnyScenario,
): string[] {
  const all = [...writes, ...lateWrites]
  if (verification.program === 'operator')
    return operatorViolations(all, { scenario: ownsOf(scenario), verification })
  const { vclusterName, targetNamespace, hostObjects } = verification
  const options = { scenario: ownsOf(scenario), vclusterName, targetNamespace }
  return [
    ...all.flatMap((write) => safetyViolations(write, options)),
    ...hostObjects.flatMap(duplicateCopies),
  ]
}

const ownsOf = ({ owns }: AnyScenario) => (owns ? { owns } : {})

/** Repeating work after a crash costs a few writes, and retries on old watch events cost more. A loop costs many. */
function tooManyWrites(run: ScenarioRun, reference: ScenarioRun, factor: number): string[] {
  const maxWrites = factor * reference.writes.length + 10
  return run.writes.length > maxWrites
    ? [`${run.writes.length} writes, compared with ${reference.writes.length} in the reference run`]
    : []
}

function countDifferences(actual: readonly RecordedWrite[], expected: readonly RecordedWrite[]): string[] {
  const actualCounts = countsOf(actual)
  const expectedCounts = countsOf(expected)
  return [...new Set([...actualCounts.keys(), ...expectedCounts.keys()])]
    .map((description) => ({
      what: description,
      actual: actualCounts.get(description) ?? 0,
      expected: expectedCounts.get(description) ?? 0,
    }))
    .filter((count) => count.actual !== count.expected)
    .map((count) => `${count.what}: ${count.actual} times, but ${count.expected} in the reference run`)
}

/** The number of times each object was created and deleted. The order may differ between runs. */
function countsOf(writes: readonly RecordedWrite[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const write of writes) {
    if (!isObjectWrite(write) || write.status >= 300 || !isCreateOrDelete(write)) continue
    const description = describeWrite(write)
    counts.set(description, (counts.get(description) ?? 0) + 1)
  }
  return counts
}

function isCreateOrDelete({ method, before, target, cluster }: RecordedWrite): boolean {
  // The other system decides whether a create or remove that is repeated is the same one.
  if (target.subresource !== '' || cluster === outside) return false
  return method === 'POST' || (method === 'PATCH' && before === undefined) || method === 'DELETE'
}

const isObjectWrite = ({ target }: RecordedWrite) => !isEventOrLease(target.plural)
