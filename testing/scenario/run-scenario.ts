import type { KubeObject } from '../../sdk/kube/object.js'
import type { ObjectTexts } from '../compare/differences.js'
import type { InjectedFault } from '../faults/injected-fault.js'
import type { RecordedWrite } from '../recorder/recorded-write.js'
import { endStateOf } from './end-state.js'
import { Harness } from './harness.js'
import type { Scenario, ScenarioStep } from './scenario.js'

/** The time after the last step in which nothing may be written, in milliseconds of virtual time. */
const quietMs = 300_000

/**
 * The maximum time for a plugin to watch again after its connection broke, in milliseconds of virtual time.
 */
const reconnectMs = 60_000

/** The record of one run of a scenario. */
export interface ScenarioRun {
  /** The objects of both clusters after the last step. */
  readonly state: ObjectTexts
  /** The plugin's writes until then. */
  readonly writes: readonly RecordedWrite[]
  /** The plugin's writes in the quiet time after that, in which nothing changed. */
  readonly lateWrites: readonly RecordedWrite[]
  /** The number of the plugin's calls. */
  readonly calls: number
  /** The number of writes by users. */
  readonly changes: number
  /** The host objects at the end, of every kind that was written. */
  readonly hostObjects: readonly (readonly KubeObject[])[]
  readonly vclusterName: string
  readonly targetNamespace: string
  /** Whether every fault was injected. */
  readonly injectedAll: boolean
}

/** Runs a scenario once with the given faults. Rejects if a step or the plugin fails, or if the plugin never settles. */
export async function runScenario(
  scenario: Scenario,
  faults: readonly InjectedFault[] = [],
): Promise<ScenarioRun> {
  const harness = await Harness.open(scenario, faults)
  try {
    harness.start()
    await harness.settle()
    for (const [index, named] of Object.entries(scenario.steps).entries())
      await runStep(harness, { number: index + 1, named })
    await endLags(harness, Object.keys(scenario.steps).length)
    return await finishRun(harness)
  } catch (error) {
    throw withLogLines(error, harness.logLines)
  } finally {
    await harness.close()
  }
}

/** Adds the plugin's log to a failure, because it usually names the cause. */
function withLogLines(error: unknown, lines: readonly string[]): unknown {
  if (lines.length === 0) return error
  const message = error instanceof Error ? error.message : String(error)
  return new Error([message, 'the plugin logged:', ...lines.map((line) => `  ${line}`)].join('\n'), {
    cause: error,
  })
}

/** Runs all steps without a plugin and then starts it. Undefined if a step needs the plugin. */
export async function runWithLateStart(scenario: Scenario): Promise<ScenarioRun | undefined> {
  const harness = await Harness.open(scenario)
  try {
    for (const step of Object.values(scenario.steps)) {
      // A step that changes a copy fails, because no plugin has created the copy.
      if (await fails(step, harness)) return undefined
    }
    harness.start()
    await harness.settle()
    return await finishRun(harness)
  } finally {
    await harness.close()
  }
}

async function fails(step: ScenarioStep, harness: Harness): Promise<boolean> {
  try {
    await step(harness)
    return false
  } catch {
    return true
  }
}

interface NumberedStep {
  /** From 1. */
  number: number
  named: [name: string, step: ScenarioStep]
}

async function runStep(harness: Harness, { number, named: [name, step] }: NumberedStep): Promise<void> {
  const { lags, faults } = harness.recorder
  startLags(harness, number)
  if (faults.take((one) => one.type === 'down' && one.step === number)) harness.kill()
  try {
    await performStep(harness, step)
    await harness.settle()
  } catch (error) {
    throw new Error(`step ${number}, "${name}": ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
  await endLags(harness, number - 1)
  lags.virtual.stopRepeating()
  lags.host.stopRepeating()
  if (!faults.take((one) => one.type === 'restart' && one.step === number)) return
  harness.start()
  await harness.settle()
}

/** A step can fail because the plugin has not seen an original and so has not created its copy. Then the events are released. */
async function performStep(harness: Harness, step: ScenarioStep): Promise<void> {
  const { recorder } = harness
  try {
    await step(harness)
  } catch (error) {
    if (!recorder.withholdsEvents) throw error
    for (const lag of Object.values(recorder.lags)) lag.release()
    await harness.settle()
    await step(harness)
  }
}

function startLags({ recorder }: Harness, number: number): void {
  for (const fault of recorder.faults.faults) {
    if (!('cluster' in fault) || fault.step !== number) continue
    recorder.lags[fault.cluster].mode = fault.type === 'repeated' ? 'repeat' : 'hold'
    recorder.faults.mark(fault)
  }
}

/** Ends the lags that started with a step. */
async function endLags(harness: Harness, number: number): Promise<void> {
  for (const fault of harness.recorder.faults.faults) {
    if ((fault.type !== 'late' && fault.type !== 'lost') || fault.step !== number) continue
    const lag = harness.recorder.lags[fault.cluster]
    if (fault.type === 'lost') harness.clusters[fault.cluster].compact()
    if (fault.type === 'lost') lag.break()
    else lag.release()
    // A plugin that waits before it watches again is idle, so time must pass first.
    await harness.advance(reconnectMs)
    await harness.settle()
  }
}

async function finishRun(harness: Harness): Promise<ScenarioRun> {
  const { recorder, vclusterName, targetNamespace } = harness
  const state = await endStateOf(recorder)
  const settled = recorder.writes.length
  await harness.advance(quietMs)
  await harness.settle()
  const hostObjects = await Promise.all(
    [...recorder.collections.host].map((collection) => recorder.list('host', collection)),
  )
  return {
    state,
    writes: recorder.writes.slice(0, settled),
    lateWrites: recorder.writes.slice(settled),
    calls: recorder.calls,
    changes: recorder.changes,
    hostObjects,
    vclusterName,
    targetNamespace,
    injectedAll: recorder.faults.isComplete,
  }
}
