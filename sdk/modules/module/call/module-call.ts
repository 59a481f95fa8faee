// The call of a manager, with the frozen definition, the metadata, the program and the cluster that the call needs.
import { withOwnSignal } from '../../../engine/time/own-signal.js'
import type { OperationContext, OptionalMethod } from '../../manager/manager.js'
import type { ManagerSession, ProgramFacts } from '../../manager/program-runner.js'
import type { MetaData } from '../../metadata/metadata.js'
import { randomTextsIn } from '../../template/random-texts.js'
import { hasRandomText } from '../../template/render-templates.js'
import type { ModuleOfRun } from '../connection/target-cluster.js'
import { kindText } from '../connection/written-kinds.js'
import { containerKind, type FrozenDefinition, helmKind, mayBeInstalled } from '../definition/definition.js'
import { ModuleAnnotations } from '../definition/module-annotations.js'
import { freeze } from '../installation/freeze.js'
import { copyUsers, usedProgram } from '../programs/program-users.js'
import { MetaDataStore } from '../record/metadata-store.js'
import { parseDurationMs } from '../record/operation-record.js'
import { CallDefinitions, type CallFacts } from './call-definitions.js'
import { callManager, HangingCallError } from './call-manager.js'
import { abortIfInterrupted } from './interruption.js'
import {
  copyCallsOf,
  keepCopy,
  type ManagerHooks,
  moduleCluster,
  openManager,
  secretTextsOf,
} from './module-programs.js'
import { addSleepers, forgetSleepers, sleepersOf, wakeSleepers } from './sleepers.js'

const defaultTimeoutMs = 300_000

/** Options of {@link ModuleCall}. */
export interface ModuleCallOptions extends ModuleOfRun {
  readonly operation: CallFacts
  readonly reason: OperationContext['reason']
  /** The longest time limit, in milliseconds. Default: that of the Module. */
  readonly maxTimeoutMs?: number
}

/** A call that has succeeded. */
export interface MadeCall {
  readonly definition: FrozenDefinition
  readonly program: ProgramFacts
  /** The optional methods of the manager. */
  readonly methods: readonly OptionalMethod[]
  /** The answer of a check. */
  readonly answer: boolean | undefined
}

/** A call whose manager was opened. */
interface OpenedCall {
  readonly annotations: ModuleAnnotations
  readonly definition: FrozenDefinition
  readonly installed: FrozenDefinition
  /** Whether an earlier attempt has succeeded. */
  readonly isDone: boolean
}

/** One call of the manager of a Module: `ModuleRun` makes one for each attempt, and `checkIsReady` for each check. */
export class ModuleCall {
  readonly #options: ModuleCallOptions
  readonly #definitions: CallDefinitions
  /** The kinds of the objects without an owner that the manager has written. */
  readonly kinds = new Set<string>()
  #metaData: MetaData | undefined

  constructor(options: ModuleCallOptions) {
    this.#options = options
    this.#definitions = new CallDefinitions(options)
  }

  /** Secret texts, which must not appear in messages. */
  get secretTexts(): readonly string[] {
    return [...secretTextsOf(this.#definitions.all), ...this.#randomTexts]
  }

  /** The passwords that a Helm release got. */
  get #randomTexts(): readonly string[] {
    const isHelm = this.#definitions.all.some(({ kind }) => kind === helmKind)
    return isHelm && this.#metaData ? randomTextsIn(this.#metaData) : []
  }

  /** Makes the call, and stores the metadata, also after a failure. */
  async make(): Promise<MadeCall> {
    const { ctx, module, operation } = this.#options
    const annotations = await ModuleAnnotations.read(ctx.client, module)
    const installed = await this.#definitions.findInstalled(annotations)
    const definition =
      operation.kind === 'upgrade' ? await this.#definitions.findWanted(installed) : installed
    const session = await this.#openSession(definition, annotations)
    // The frozen definition names the target of an upgrade only after that has succeeded.
    const isDone = operation.kind === 'upgrade' && installed.upgrade === operation.target
    let answer: boolean | undefined
    try {
      answer = await this.#callWithMetaData(session, { annotations, definition, installed, isDone })
    } finally {
      await session.close()
    }
    if (operation.kind === 'resume') await this.#wakeRemaining(definition, annotations)
    if (operation.kind === 'upgrade' && !isDone)
      await this.#adopt({ ...definition, upgrade: operation.target }, annotations)
    if (operation.kind === 'uninstall' && !annotations.module.metadata.deletionTimestamp)
      await freeze({ ...definition, pending: true }, annotations)
    return { definition, program: session.program, methods: session.methods, answer }
  }

  /** Loads the metadata, makes the call, and stores the metadata again. */
  async #callWithMetaData(
    session: ManagerSession,
    { annotations, definition, installed, isDone }: OpenedCall,
  ): Promise<boolean | undefined> {
    const { ctx, environment } = this.#options
    const store = await MetaDataStore.open({
      client: ctx.client,
      annotations,
      inSecret: environment.metaDataInSecret || hasRandomText(definition.spec),
      secretTexts: () => secretTextsOf(this.#definitions.all),
    })
    const metaData = store.load()
    this.#metaData = metaData
    try {
      return isDone ? undefined : await this.#callUnlessInterrupted(session, metaData, installed.values)
    } finally {
      await store.save(metaData)
    }
  }

  /**
   * Wakes the workloads that an aborted sleep has put to sleep, which the manager may not know. A Helm release knows
   * its own workloads.
   */
  async #wakeRemaining(definition: FrozenDefinition, annotations: ModuleAnnotations): Promise<void> {
    const { ctx } = this.#options
    const isOfProgram = definition.kind !== helmKind && definition.kind !== containerKind
    if (isOfProgram && sleepersOf(annotations.module.metadata.annotations).length > 0) {
      const cluster = await moduleCluster(definition, this.#options)
      await wakeSleepers(annotations, { cluster, signal: ctx.signal })
    }
    await forgetSleepers(annotations)
  }

  #hooksOf(annotations: ModuleAnnotations): ManagerHooks {
    return {
      onUnownedWrite: (resource) => void this.kinds.add(kindText(resource)),
      onSleep: (workloads) => addSleepers(annotations, workloads),
    }
  }

  /**
   * Opens the manager. An installation freezes the definition first, because its first call may create something to
   * uninstall.
   */
  async #openSession(definition: FrozenDefinition, annotations: ModuleAnnotations): Promise<ManagerSession> {
    const { kind } = this.#options.operation
    if (kind !== 'install') {
      if (kind !== 'check') await this.#keepCopy(definition)
      return openManager(definition, this.#options, this.#hooksOf(annotations))
    }
    const hooks = this.#hooksOf(annotations)
    const session = await openManager(definition, this.#options, hooks).catch(async (error: unknown) => {
      await this.#freezeUnused(definition, annotations)
      throw error
    })
    try {
      await this.#adopt(definition, annotations)
      return session
    } catch (error) {
      await session.close()
      throw error
    }
  }

  /**
   * Freezes the definition of a program that failed to start, because later loads must have the digest of the first.
   */
  async #freezeUnused(definition: FrozenDefinition, annotations: ModuleAnnotations): Promise<void> {
    if (!(await mayBeInstalled(annotations.module.metadata)))
      await freeze({ ...definition, pending: true }, annotations)
  }

  /** Keeps a copy of the program. A Module that is installed works without one, for example if somebody deleted it. */
  async #keepCopy(definition: FrozenDefinition): Promise<void> {
    const { kind } = this.#options.operation
    const isNew = kind === 'install' || kind === 'upgrade' || definition.program?.accepted !== undefined
    if (!isNew && kind === 'uninstall') return
    await keepCopy(definition, { run: this.#options, isNewUser: isNew }).catch((error: unknown) => {
      if (isNew) throw error
      this.#options.ctx.logger.warn({ error }, 'the copy of the program of a Module cannot be renewed')
    })
  }

  /** Makes this the definition that later uninstalls the Module. */
  async #adopt(definition: FrozenDefinition, annotations: ModuleAnnotations): Promise<void> {
    const { environment } = this.#options
    const former = usedProgram(annotations.module)
    await freeze(definition, annotations)
    // Another Module may have released the copy before this one counted as a user of it.
    await this.#keepCopy(definition)
    if (!former || former === definition.program?.digest) return
    const { cluster, own, copies } = environment
    await copies.release(former, { ...copyCallsOf(this.#options), users: copyUsers(cluster, own) })
  }

  /** Makes the call. It is aborted if the Module changes so that the call is not wanted any more. */
  #callUnlessInterrupted(
    session: ManagerSession,
    metaData: MetaData,
    before: unknown,
  ): Promise<boolean | undefined> {
    const { ctx, operation, reason } = this.#options
    return withOwnSignal(ctx.signal, async (abortController) => {
      const stopChecks = abortIfInterrupted(abortController, this.#options, () => this.#definitions.all[0])
      try {
        const timeoutMs = this.#timeoutMs
        const { logger, clock } = ctx
        const { signal } = abortController
        const call = { operation, reason, timeoutMs, signal, clock, logger, metaData, before }
        return await callManager(session, { ...call, ending: ctx.signal })
      } catch (error) {
        if (error instanceof HangingCallError) this.#keepHangingCall(error)
        throw error
      } finally {
        stopChecks()
      }
    })
  }

  /** Remembers a call that did not end. The next call for the Module waits for it, because calls must not overlap. */
  #keepHangingCall({ ended }: HangingCallError): void {
    const { hanging } = this.#options.environment
    const { uid = '' } = this.#options.module.metadata
    hanging.set(uid, ended)
    void ended.then(() => hanging.delete(uid))
  }

  get #timeoutMs(): number {
    const { module, maxTimeoutMs = Number.POSITIVE_INFINITY } = this.#options
    const { timeout } = module.spec
    return Math.min(maxTimeoutMs, timeout === undefined ? defaultTimeoutMs : parseDurationMs(timeout))
  }
}
