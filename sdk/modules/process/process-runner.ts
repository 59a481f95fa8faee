// Runs loaded programs, each in a process of its own for each Workspace. A crash, a hang or exhausted memory ends only
// that process; the next call starts another one. Trust comes from the digest; the isolation only contains mistakes.

import { systemClock } from '../../engine/time/clock.js'
import { compatibleVersions } from '../../engine/transport/version.js'
import type { OperationContext, OperationKind, OptionalMethod } from '../manager/manager.js'
import type { ModuleCluster } from '../manager/module-cluster.js'
import type {
  ManagerSession,
  ModuleIdentity,
  ProgramFacts,
  ProgramRunner,
} from '../manager/program-runner.js'
import type { MetaData } from '../metadata/metadata.js'
import type { LoadedProgram } from '../program/load-program.js'
import { ignoreDebuggerSignal } from './boundary/ignore-debugger-signal.js'
import { ProcessSlot } from './process-slot.js'
import type { ProgramProcess } from './program-process.js'
import { labelOf, type ProcessRunnerOptions, startProgram } from './start-program.js'

/**
 * Runs the managers of a loaded program in processes of their own: one for each Workspace, started at the first call,
 * ended after five minutes without one, started at most five times in five minutes.
 *
 * @example
 * ```ts
 * const runner = processRunner(await loadProgram(source, { allowList }), { cache: new ProgramCache(folder), logger })
 * const session = await runner.open(module, config, cluster)
 * await session.call('install', ctx, metaData)
 * ```
 */
export function processRunner(program: LoadedProgram, options: ProcessRunnerOptions): ProgramRunner {
  ignoreDebuggerSignal()
  return new ProcessRunner(program, options)
}

/** A program without a range is accepted, because refusing it would keep its Modules from being uninstalled. */
const noSdkAdvice =
  'the program does not name the versions of the SDK that it runs with, so each version loads it; ' +
  `add sdk to defineProgram, such as '${compatibleVersions}', and build the program again`

class ProcessRunner implements ProgramRunner {
  readonly #program: LoadedProgram
  readonly #options: ProcessRunnerOptions
  readonly #slots = new Map<string, ProcessSlot>()
  /** The number of open managers, by the name of their slot. */
  readonly #open = new Map<string, number>()
  /** The digests of the programs whose log has the advice about `sdk`. */
  readonly #advised: Set<string>

  constructor(program: LoadedProgram, options: ProcessRunnerOptions) {
    this.#program = program
    this.#options = options
    this.#advised = options.advised ?? new Set()
  }

  async open(module: ModuleIdentity, config: unknown, cluster: ModuleCluster): Promise<ManagerSession> {
    const name = JSON.stringify(module.workspace)
    const slot = this.#slotOf(name)
    const onClose = () => this.#count(name, -1)
    const session = new ProcessSession(slot, { module, config, cluster, onClose })
    this.#count(name, 1)
    try {
      await session.open()
      return session
    } catch (error) {
      await session.close()
      throw error
    }
  }

  #count(name: string, change: 1 | -1): void {
    const count = (this.#open.get(name) ?? 0) + change
    if (count > 0) this.#open.set(name, count)
    else this.#open.delete(name)
  }

  /** Removes a slot that has no open manager. */
  #forget(name: string): void {
    if (this.#open.has(name)) return
    this.#slots.delete(name)
    if (this.#slots.size === 0) this.#options.onIdle?.()
  }

  async close(): Promise<void> {
    const slots = [...this.#slots.values()]
    this.#slots.clear()
    await Promise.all(slots.map((slot) => slot.close()))
  }

  async #start(): Promise<ProgramProcess> {
    const { running, description } = await startProgram(this.#program, this.#options)
    if (description.sdk === undefined && !this.#advised.has(this.#program.digest)) {
      this.#advised.add(this.#program.digest)
      this.#options.logger.warn({ program: running.name }, noSdkAdvice)
    }
    return running
  }

  #slotOf(name: string): ProcessSlot {
    const { clock = systemClock, idleMs = 300_000 } = this.#options
    const slot =
      this.#slots.get(name) ??
      new ProcessSlot({
        clock,
        idleMs,
        label: labelOf(this.#program),
        start: () => this.#start(),
        onIdle: () => this.#forget(name),
      })
    this.#slots.set(name, slot)
    return slot
  }
}

interface OpenOptions {
  readonly onClose: () => void
  readonly module: ModuleIdentity
  readonly config: unknown
  readonly cluster: ModuleCluster
}

/** A manager of a Module. If its process has ended, the next call makes the manager again in another process. */
class ProcessSession implements ManagerSession {
  readonly #slot: ProcessSlot
  readonly #opened: OpenOptions
  #process: ProgramProcess | undefined
  #manager = 0
  #methods: readonly OptionalMethod[] = []
  #program: ProgramFacts = {}
  #isClosed = false

  constructor(slot: ProcessSlot, opened: OpenOptions) {
    this.#slot = slot
    this.#opened = opened
  }

  get program(): ProgramFacts {
    return this.#program
  }

  get methods(): readonly OptionalMethod[] {
    return this.#methods
  }

  open(): Promise<void> {
    return this.#slot.use((running) => this.#openIn(running))
  }

  async call(
    operation: OperationKind,
    ctx: OperationContext,
    metaData: MetaData,
    before?: unknown,
  ): Promise<boolean | undefined> {
    return await this.#slot.use(async (running) => {
      await this.#openIn(running)
      return await running.call(this.#manager, operation, ctx, metaData, before)
    })
  }

  async close(): Promise<void> {
    this.#process?.close(this.#manager)
    this.#process = undefined
    if (!this.#isClosed) this.#opened.onClose()
    this.#isClosed = true
  }

  async #openIn(running: ProgramProcess): Promise<void> {
    if (this.#process === running) return
    const { module, config, cluster } = this.#opened
    const { manager, methods } = await running.open(module, config, cluster)
    this.#manager = manager
    this.#methods = methods
    this.#program = running.description
    this.#process = running
  }
}
