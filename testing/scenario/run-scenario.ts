import type { ObjectTexts } from '../compare/state-differences.js'
import type { InjectedFault } from '../faults/injected-fault.js'
import { stopAndRethrow } from '../plugin/stop-and-rethrow.js'
import type { RecordedWrite } from '../recorder/recorded-write.js'
import type { DisturbableWrites } from './disturbable-writes.js'
import { endStateOf } from './end-state.js'
import { Harness } from './harness.js'
import type { HarnessOptions } from './harness-options.js'
import { OperatorHarness } from './operator-harness.js'
import type { OperatorScenario } from './operator-scenario.js'
import type { Scenario } from './scenario.js'
import type { ScenarioHarness, Verification } from './scenario-harness.js'

/** A scenario of a plugin or of an operator. */
export type AnyScenario = Scenario | OperatorScenario

/** Whether a scenario is about an operator. */
export function isOperatorScenario(scenario: AnyScenario): scenario is OperatorScenario {
  return scenario.program === 'operator'
}

/** The time after the last step in which nothing may be written, in milliseconds of virtual time. */
const shortQuietMs = 300_000

/**
 * The maximum time for a program to watch again after its connection broke, in milliseconds of virtual time.
 */
const reconnectMs = 60_000

/** The record of one run of a scenario. */
export interface ScenarioRun {
  /** The objects of all clusters after the last step. */
  readonly state: ObjectTexts
  /** The program's writes until then. */
  readonly writes: readonly RecordedWrite[]
  /** The program's writes in the quiet time after that, in which nothing changed. */
  readonly lateWrites: readonly RecordedWrite[]
  /** The number of the program's calls; of an operator until the last step was done. */
  readonly calls: number
  /** The number of writes by users. */
  readonly changes: number
  /** The watches that can lag: those of each cluster, and for an operator those of each kind, `main/deployments`. */
  readonly watchScopes: readonly string[]
  readonly verification: Verification
  /** The faults that were not injected, because the run did not come to their place. */
  readonly missed: readonly InjectedFault[]
  /** The writes at which a user can disturb the operator; undefined if the run did not look for them. */
  readonly disturbable: DisturbableWrites | undefined
  /** Whether the run ended with the next release of the operator. */
  readonly isUpgraded: boolean
}

/** Options of {@link runScenario}. */
export interface RunOptions {
  /** The faults to inject; default none. */
  readonly faults?: readonly InjectedFault[]
  /**
   * The time after the last step in which nothing may be written, in milliseconds of virtual time; default five
   * minutes.
   */
  readonly quietMs?: number
  /** Writes of other runs, whose kinds are part of the end state, too; default none. */
  readonly kindsOf?: readonly RecordedWrite[]
  /** Whether the run of an operator notes at which writes a user can disturb it; default false. */
  readonly observesUsers?: boolean
}

function open(scenario: AnyScenario, options: HarnessOptions = {}): Promise<ScenarioHarness> {
  return isOperatorScenario(scenario)
    ? OperatorHarness.open(scenario, options)
    : Harness.open(scenario, options.faults)
}

/** Runs a scenario once. Rejects if a step or the program fails, or if the program never settles. */
export async function runScenario(
  scenario: AnyScenario,
  { faults = [], quietMs = shortQuietMs, kindsOf = [], observesUsers = false }: RunOptions = {},
): Promise<ScenarioRun> {
  const harness = await open(scenario, { faults, observesUsers })
  return thenClose(harness, async () => {
    try {
      noteKinds(harness, kindsOf)
      harness.replicas.start()
      await harness.settle()
      const steps = Object.keys(scenario.steps)
      for (const [index, name] of steps.entries()) await runStep(harness, { number: index + 1, name })
      await endLags(harness, steps.length)
      return await finishRun(harness, quietMs)
    } catch (error) {
      throw harness.log.explain(error)
    }
  })
}

/** Closes the clusters after a run. Of two failures, that of the run is thrown. */
async function thenClose<T>(harness: ScenarioHarness, run: () => Promise<T>): Promise<T> {
  const close = () => harness.close()
  const result = await run().catch(stopAndRethrow(close))
  await close()
  return result
}

/**
 * Runs all steps without the program and then starts it. Undefined if a step needs the program. The end state has the
 * kinds that were written in the reference run, too.
 */
export async function runWithLateStart(
  scenario: AnyScenario,
  reference: Pick<ScenarioRun, 'writes'>,
): Promise<ScenarioRun | undefined> {
  const harness = await open(scenario)
  return thenClose(harness, async () => {
    noteKinds(harness, reference.writes)
    for (const step of Object.keys(scenario.steps)) {
      // A step that changes a copy fails, because no plugin has created the copy.
      if (await stepFails(step, harness)) return undefined
    }
    harness.replicas.start()
    await harness.settle()
    return finishRun(harness, shortQuietMs)
  })
}

function noteKinds({ recorder }: ScenarioHarness, writes: readonly RecordedWrite[]): void {
  for (const { cluster, target } of writes) recorder.collections[cluster]?.add(target.collection)
}

async function stepFails(step: string, harness: ScenarioHarness): Promise<boolean> {
  try {
    await harness.perform(step)
    return false
  } catch {
    return true
  }
}

interface NumberedStep {
  /** From 1. */
  number: number
  name: string
}

async function runStep(harness: ScenarioHarness, { number, name }: NumberedStep): Promise<void> {
  const { lags, faults } = harness.recorder
  startLags(harness, number)
  if (faults.take((fault) => fault.type === 'down' && fault.step === number)) harness.replicas.kill()
  try {
    await performStep(harness, name)
    await harness.settle()
    if (lags.takeBroken()) await reconnect(harness)
  } catch (error) {
    throw new Error(`step ${number}, "${name}": ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
  await endLags(harness, number - 1)
  lags.stopRepeating()
  const isRestart = (fault: InjectedFault) =>
    (fault.type === 'restart' || fault.type === 'rollback') && fault.step === number
  if (!faults.take(isRestart)) return
  harness.replicas.start()
  await harness.settle()
}

/**
 * A step can fail because the program has not seen an object and so has not acted on it. Then the events are released.
 */
async function performStep(harness: ScenarioHarness, step: string): Promise<void> {
  const { lags } = harness.recorder
  try {
    await harness.perform(step)
  } catch (error) {
    if (!lags.areWithheld) throw error
    lags.releaseAll()
    await harness.settle()
    await harness.perform(step)
  }
}

function startLags({ recorder }: ScenarioHarness, number: number): void {
  for (const fault of recorder.faults.faults) {
    if (!('cluster' in fault) || fault.step !== number) continue
    recorder.lags.at(fault.cluster).mode = fault.type === 'repeated' ? 'repeat' : 'hold'
    recorder.faults.markInjected(fault)
  }
}

/** Ends the lags that started with a step. */
async function endLags(harness: ScenarioHarness, number: number): Promise<void> {
  for (const fault of harness.recorder.faults.faults) {
    if ((fault.type !== 'late' && fault.type !== 'lost') || fault.step !== number) continue
    const lag = harness.recorder.lags.at(fault.cluster)
    if (fault.type === 'lost') harness.compact(fault.cluster)
    if (fault.type === 'lost') lag.break()
    else lag.release()
    await reconnect(harness)
  }
}

/** A program that waits before it watches again is idle, so time must pass first. */
async function reconnect(harness: ScenarioHarness): Promise<void> {
  await harness.replicas.advance(reconnectMs)
  await harness.settle()
}

/** A plugin compares its two clusters, so each lags as a whole; an operator compares kinds. */
function watchScopesOf(
  { collections, lags }: ScenarioHarness['recorder'],
  verification: Verification,
): string[] {
  const kinds = verification.program === 'operator' ? lags.kinds : []
  return [...Object.keys(collections), ...kinds]
}

/** The faults that were not injected. One that concerns watches of a kind needs a watch of that kind. */
function missedFaults({ collections, lags, faults }: ScenarioHarness['recorder']): InjectedFault[] {
  const scopes = [...Object.keys(collections), ...lags.kinds]
  const unwatched = faults.faults.filter((fault) => 'cluster' in fault && !scopes.includes(fault.cluster))
  return [...new Set([...faults.pending, ...unwatched])]
}

async function finishRun(harness: ScenarioHarness, ms: number): Promise<ScenarioRun> {
  const { recorder, replicas } = harness
  const objects = await endStateOf(recorder)
  const verification = await harness.verification()
  const counts = verification.program === 'operator' ? verification.externalResources.counts : []
  const state = new Map([...objects, ...counts])
  const settled = recorder.writes.length
  const settledCalls = recorder.calls
  await replicas.advance(ms)
  await harness.settle()
  return {
    state,
    writes: recorder.writes.slice(0, settled),
    lateWrites: recorder.writes.slice(settled),
    calls: verification.program === 'operator' ? settledCalls : recorder.calls,
    changes: recorder.changes,
    watchScopes: watchScopesOf(recorder, verification),
    verification,
    missed: missedFaults(recorder),
    disturbable: harness.disturbable,
    isUpgraded: recorder.faults.isUpgraded,
  }
}
