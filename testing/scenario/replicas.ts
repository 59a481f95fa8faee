import { sleep, systemClock } from '../../sdk/engine/time/clock.js'
import type { VirtualClock } from '../clock/virtual-clock.js'
import type { RunClusters, TestCluster } from '../environment/test-environment.js'
import { SimulatedProcess } from '../faults/simulated-process.js'
import type { RequestRecorder } from '../recorder/request-recorder.js'
import { untilQuiet } from './until-quiet.js'

/** The maximum virtual time for the program to settle, in milliseconds. */
const settleLimitMs = 600_000
/**
 * The time to wait for a program to settle while its watch events are withheld, in milliseconds of virtual
 * time.
 */
const withheldMs = 120_000
/** The maximum number of times in a row that a process may exit by itself before it runs. */
const maxExits = 5
/**
 * The maximum time that the program may wait for something other than a timer or a cluster, in milliseconds of
 * real time.
 */
const hangMs = 5000
/** The interval at which such a program is checked, in milliseconds of real time. */
const hangCheckMs = 10

/** A program in a simulated process. */
export interface SimulatedProgram {
  /** Resolves when the program is at work; rejects when its start failed. A standby replica is not at work. */
  whenRunning(): Promise<void>
  isIdle(): boolean
}

/** Starts the program in a process. */
export type StartProgram = (
  process: SimulatedProcess,
) => Promise<{ program: SimulatedProgram; ended: Promise<unknown> }>

/** Options of {@link Replicas}. */
export interface ReplicasOptions {
  clock: VirtualClock
  run: RunClusters
  clusters: readonly TestCluster[]
  recorder: RequestRecorder
  /** The name of the program in messages, for example `the plugin`. */
  name: string
  start: StartProgram
  /** The number of processes; default 1. */
  count?: number
}

/** One place of a process, as a Deployment's replica. */
interface Replica {
  process: SimulatedProcess
  /** Set while the program is at work. */
  program: SimulatedProgram | undefined
}

/**
 * The processes of a program, in virtual time. It starts and kills them, and restarts a process that exits by itself,
 * as a kubelet restarts a container.
 */
export class Replicas {
  readonly #options: ReplicasOptions
  readonly #replicas: Replica[]
  /** The number of times that processes exited by themselves since one last ran. */
  #exits = 0
  #failure: unknown

  constructor(options: ReplicasOptions) {
    this.#options = options
    this.#replicas = Array.from({ length: options.count ?? 1 }, () => ({
      process: new SimulatedProcess(options.clock),
      program: undefined,
    }))
  }

  /** Starts a new process for each replica. Running ones are killed first. */
  start(): void {
    for (const replica of this.#replicas) this.#start(replica)
  }

  /** Kills every process. {@link settle} starts new ones. */
  kill(): void {
    for (const { process } of this.#replicas) process.kill()
  }

  /** Resolves when the program is idle and no retry is due soon. Starts a new process for each that ended. */
  async settle(): Promise<void> {
    const { clock, recorder, name } = this.#options
    const startMs = clock.now()
    while (clock.now() < startMs + settleLimitMs) {
      await this.quiet()
      if (this.#failure !== undefined) throw this.#failure
      if (this.#restartKilled()) continue
      this.#releaseHeldWrite()
      if (this.#isSettled()) return
      // A program that acts on old watch events may rightly retry until it receives the new ones.
      if (recorder.lags.areWithheld && clock.now() > startMs + withheldMs) return
      await this.#advanceToNextTimer()
    }
    throw new Error(`${name} did not settle within ${settleLimitMs / 60_000} minutes of virtual time`)
  }

  /** Advances virtual time. */
  async advance(ms: number): Promise<void> {
    await this.#options.clock.advance(ms)
    await this.quiet()
  }

  quiet(): Promise<void> {
    return untilQuiet(this.#options)
  }

  #start(replica: Replica): void {
    replica.process.kill()
    const process = new SimulatedProcess(this.#options.clock)
    replica.process = process
    replica.program = undefined
    this.#run(replica, process).catch((error: unknown) => this.#exited(process, error))
  }

  async #run(replica: Replica, process: SimulatedProcess): Promise<void> {
    const { program, ended } = await this.#options.start(process)
    await Promise.race([program.whenRunning(), ended])
    if (!process.isKilled) replica.program = program
    this.#exits = 0
    await ended
  }

  /** Notes that a process ended by itself. {@link settle} restarts it; a process that never runs is a failure. */
  #exited(process: SimulatedProcess, error: unknown): void {
    if (process.isKilled) return
    process.kill()
    this.#exits++
    if (this.#exits > maxExits) this.#failure = error
  }

  #restartKilled(): boolean {
    const killed = this.#replicas.filter(({ process }) => process.isKilled)
    for (const replica of killed) this.#start(replica)
    return killed.length > 0
  }

  #isSettled(): boolean {
    if (this.#options.recorder.handover.isUnderWay) return false
    const atWork = this.#replicas.filter(({ program }) => program !== undefined)
    return atWork.length > 0 && atWork.every(({ program }) => program?.isIdle())
  }

  /** Releases a held write once another process is at work and idle. */
  #releaseHeldWrite(): void {
    const { handover } = this.#options.recorder
    const next = this.#replicas.find(
      ({ process, program }) => program !== undefined && process !== handover.holder,
    )
    if (handover.holder && next?.program?.isIdle()) handover.release()
  }

  /**
   * Advances to the next timer. A program without timers hangs, unless it waits for an operation that Node does not
   * list, for example in `node:crypto` or `node:zlib`. Such an operation ends within `hangMs`.
   */
  async #advanceToNextTimer(): Promise<void> {
    const { clock, name } = this.#options
    const endMs = systemClock.now() + hangMs
    while (clock.dueInMs === Number.POSITIVE_INFINITY) {
      if (systemClock.now() > endMs)
        throw new Error(`${name} hangs: it is not idle, and no timer is scheduled that could wake it`)
      await sleep(systemClock, hangCheckMs)
      await this.quiet()
      if (this.#replicas.some(({ process }) => process.isKilled) || this.#isSettled()) return
    }
    await clock.advance(clock.dueInMs)
  }
}
