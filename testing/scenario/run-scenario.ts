import type { Disturbance } from '../faults/injected-fault.js'
import { describeWrite, type Write } from '../requests/request-target.js'
import { doubles, trespasses } from '../verify/safety.js'
import { type EndState, endStateOf } from './end-state.js'
import { Stage } from './harness.js'
import type { Scenario, Step } from './scenario.js'

/** How long everything must stay as it is in the end, in milliseconds of virtual time. */
const quietMs = 300_000

/** How long a plugin may take to watch again after its connection broke, in milliseconds of virtual time. */
const reconnectMs = 60_000

/** What came of playing a scenario once. */
export interface Playthrough {
  readonly state: EndState
  readonly writes: readonly Write[]
  /** How many calls the plugin made. */
  readonly calls: number
  /** How many changes users made. */
  readonly changes: number
  /** What no run may do, however disturbed; a sentence each. */
  readonly problems: readonly string[]
  /** Whether every disturbance found its place. */
  readonly wasDisturbed: boolean
}

/** Plays a scenario once, with these things going wrong. Rejects where the plugin fails or never comes to rest. */
export async function play(
  scenario: Scenario,
  disturbances: readonly Disturbance[] = [],
): Promise<Playthrough> {
  const stage = await Stage.build(scenario, disturbances)
  try {
    stage.start()
    await stage.rest()
    for (const [index, named] of Object.entries(scenario.steps).entries())
      await playStep(stage, { number: index + 1, named, disturbances })
    await endLags(stage, Object.keys(scenario.steps).length, disturbances)
    return await outcome(stage, scenario)
  } catch (error) {
    throw withComplaints(error, stage.complaints)
  } finally {
    await stage.close()
  }
}

/** A failure with what the plugin said before, which is mostly its cause. */
function withComplaints(error: unknown, complaints: readonly string[]): unknown {
  if (complaints.length === 0) return error
  const message = error instanceof Error ? error.message : String(error)
  return new Error([message, 'the plugin said:', ...complaints.map((line) => `  ${line}`)].join('\n'), {
    cause: error,
  })
}

/** Plays the steps with no plugin there, and lets it come when all is over. Undefined where a step needs the plugin. */
export async function playLate(scenario: Scenario): Promise<Playthrough | undefined> {
  const stage = await Stage.build(scenario, [])
  try {
    for (const step of Object.values(scenario.steps)) {
      // A step that is about a copy cannot be done before there is one.
      if (await fails(step, stage)) return undefined
    }
    stage.start()
    await stage.rest()
    return await outcome(stage, scenario)
  } finally {
    await stage.close()
  }
}

async function fails(step: Step, stage: Stage): Promise<boolean> {
  try {
    await step(stage)
    return false
  } catch {
    return true
  }
}

interface StepOptions {
  /** From 1 on. */
  number: number
  named: [name: string, step: Step]
  disturbances: readonly Disturbance[]
}

async function playStep(stage: Stage, { number, named, disturbances }: StepOptions): Promise<void> {
  const [name, step] = named
  beginLags(stage, number, disturbances)
  if (stage.wire.strike((one) => one.type === 'down' && one.step === number)) stage.kill()
  try {
    await takeStep(stage, step)
    await stage.rest()
  } catch (error) {
    throw new Error(`step ${number}, "${name}": ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
  await endLags(stage, number - 1, disturbances)
  stage.wire.lags.virtual.stopRepeating()
  stage.wire.lags.host.stopRepeating()
  if (!stage.wire.strike((one) => one.type === 'restart' && one.step === number)) return
  stage.start()
  await stage.rest()
}

/** A user who finds a copy missing because the plugin cannot see its original yet waits until it can. */
async function takeStep(stage: Stage, step: Step): Promise<void> {
  try {
    await step(stage)
  } catch (error) {
    if (!stage.wire.isHeldBack) throw error
    for (const lag of Object.values(stage.wire.lags)) lag.release()
    await stage.rest()
    await step(stage)
  }
}

function beginLags({ wire }: Stage, number: number, disturbances: readonly Disturbance[]): void {
  for (const one of disturbances) {
    if (!('cluster' in one) || one.step !== number) continue
    wire.lags[one.cluster].mode = one.type === 'repeated' ? 'repeat' : 'hold'
    wire.struck.add(one)
  }
}

/** Ends what began with the step of that number. */
async function endLags(stage: Stage, number: number, disturbances: readonly Disturbance[]): Promise<void> {
  for (const one of disturbances) {
    if ((one.type !== 'late' && one.type !== 'lost') || one.step !== number) continue
    const lag = stage.wire.lags[one.cluster]
    if (one.type === 'lost') stage.site.clusters[one.cluster].forget()
    if (one.type === 'lost') lag.break()
    else lag.release()
    // A plugin that waits before it watches again is idle meanwhile.
    await stage.pass(reconnectMs)
    await stage.rest()
  }
}

async function outcome(stage: Stage, scenario: Scenario): Promise<Playthrough> {
  const { wire } = stage
  const state = await endStateOf(stage)
  const settled = wire.writes.length
  await stage.pass(quietMs)
  await stage.rest()
  const restless = wire.writes.slice(settled).map((write) => `${describeWrite(write)}: nothing had changed`)
  const hostObjects = await Promise.all(
    [...wire.collections.host].map((collection) => wire.list('host', collection)),
  )
  const trespassing = wire.writes.flatMap((write) => trespasses(write, { ...stage, scenario }))
  return {
    state,
    writes: wire.writes.slice(0, settled),
    calls: wire.calls,
    changes: wire.changes,
    problems: [...trespassing, ...hostObjects.flatMap(doubles), ...restless],
    wasDisturbed: wire.isSpent,
  }
}
