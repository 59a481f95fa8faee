// The call of a manager, with all that it needs: the frozen definition, the metadata, the program, the cluster.
import { PermanentError } from '../../kube/error.js'
import { withOwnSignal } from '../../time/own-signal.js'
import type { OperationRecord } from '../kinds/module.js'
import { modules } from '../kinds/module-kind.js'
import { workspaces } from '../kinds/workspace-kind.js'
import type { OperationContext, OperationKind, OptionalMethod } from '../manager/manager.js'
import type { ManagerSession, ProgramName } from '../manager/program-runner.js'
import type { MetaData } from '../metadata/metadata.js'
import { hasRandomText } from '../template/render-templates.js'
import { callManager, HangingCallError, InterruptedError } from './call-manager.js'
import { definitionAnnotation, type FrozenDefinition, frozenDefinition } from './definition.js'
import { freeze } from './freeze.js'
import { MetaDataStore } from './metadata-store.js'
import { ModuleAnnotations } from './module-annotations.js'
import {
  checkHelm,
  copyOwnerOf,
  keepCopy,
  openManager,
  readerOf,
  secretTextsOf,
  workspaceCluster,
} from './module-programs.js'
import { durationMs } from './operation-record.js'
import { isUsed, usedProgram } from './program-users.js'
import type { ModuleOfRun } from './target-cluster.js'
import { upgradeTarget, wantedDefinition } from './upgrade.js'
import { wantsSleep } from './wants-sleep.js'

const defaultTimeoutMs = 300_000

/** The facts of a call: an attempt of an operation, or a check. */
export type CallFacts = Pick<OperationRecord, 'id' | 'attempt' | 'target'> & { readonly kind: OperationKind }

/** Options of {@link ModuleCall}. */
export interface ModuleCallOptions extends ModuleOfRun {
  readonly operation: CallFacts
  readonly reason: OperationContext['reason']
  /** The longest time limit, in milliseconds. Default: that of the Module. */
  readonly longestMs?: number
}

/** A call that has succeeded. */
export interface MadeCall {
  readonly definition: FrozenDefinition
  readonly program: ProgramName
  /** The optional methods of the manager. */
  readonly methods: readonly OptionalMethod[]
  /** The answer of a check. */
  readonly answer: boolean | undefined
}

/** One call for a Module. */
export class ModuleCall {
  readonly #options: ModuleCallOptions
  /** The definition that the Module was installed with, and the one that is called if it is another. */
  readonly #definitions: FrozenDefinition[] = []

  constructor(options: ModuleCallOptions) {
    this.#options = options
  }

  /** The texts that must not be in messages. */
  get secretTexts(): readonly string[] {
    return secretTextsOf(this.#definitions)
  }

  /** Makes the call, and stores the metadata whatever its end was. */
  async make(): Promise<MadeCall> {
    const { ctx, module, environment, operation } = this.#options
    const annotations = await ModuleAnnotations.read(ctx.client, module)
    const installed = await this.#installed(annotations)
    const definition = operation.kind === 'upgrade' ? await this.#wanted(installed) : installed
    if (operation.kind !== 'check') await this.#keepCopy(definition)
    const store = await MetaDataStore.open({
      client: ctx.client,
      annotations,
      inSecret: environment.metaDataInSecret || hasRandomText(definition.spec),
      secretTexts: () => this.secretTexts,
    })
    const metaData = store.load()
    const session = await openManager(definition, this.#options)
    // An upgrade that was written down has ended.
    const isOver = operation.kind === 'upgrade' && installed.upgrade === operation.target
    let answer: boolean | undefined
    try {
      if (!isOver) answer = await this.#callUnlessInterrupted(session, metaData, installed.values)
    } finally {
      await session.close()
      await store.save(metaData)
    }
    if (operation.kind === 'upgrade' && !isOver) await this.#adopt(definition, annotations)
    return { definition, program: session.program, methods: session.methods, answer }
  }

  async #installed(annotations: ModuleAnnotations): Promise<FrozenDefinition> {
    const { module, environment, operation } = this.#options
    const { programs } = environment
    const installed =
      operation.kind === 'upgrade' || operation.kind === 'check'
        ? await frozenDefinition(annotations.module.metadata)
        : await freeze(module, {
            annotations,
            programs,
            reader: readerOf(this.#options),
            cluster: workspaceCluster(this.#options),
            checkHelm: (spec, values) => checkHelm({ spec, values }, this.#options),
          })
    if (!installed)
      throw new PermanentError(
        `the annotation ${definitionAnnotation} is gone, which says what was installed; create another Module`,
      )
    this.#definitions.push(installed)
    return installed
  }

  async #wanted(installed: FrozenDefinition): Promise<FrozenDefinition> {
    const { module, environment, operation } = this.#options
    if (installed.upgrade === operation.target) return installed
    const wanted = await wantedDefinition(module, installed, {
      programs: environment.programs,
      reader: readerOf(this.#options),
      checkHelm: (spec, values) => checkHelm({ spec, values }, this.#options, installed.cluster),
    })
    this.#definitions.push(wanted)
    return wanted
  }

  async #keepCopy(definition: FrozenDefinition): Promise<void> {
    const { kind } = this.#options.operation
    const isOther = kind === 'install' || kind === 'upgrade' || definition.program?.accepted !== undefined
    if (isOther) await keepCopy(definition, this.#options)
  }

  /** From now on the Module is uninstalled by the new definition. */
  async #adopt(definition: FrozenDefinition, annotations: ModuleAnnotations): Promise<void> {
    const { ctx, environment, operation } = this.#options
    const former = usedProgram(annotations.module)
    const frozen = JSON.stringify({ ...definition, upgrade: operation.target })
    await annotations.set(definitionAnnotation, frozen)
    // Another Module may have released the copy before this one counted as a user of it.
    await this.#keepCopy(definition)
    if (!former || former.digest === definition.program?.digest) return
    const store = environment.cluster.store(modules)
    const calls = { client: ctx.client, signal: ctx.signal, isUsed: () => isUsed(store as never, former) }
    await environment.copies.release(former.digest, copyOwnerOf(this.#options), calls)
  }

  #callUnlessInterrupted(
    session: ManagerSession,
    metaData: MetaData,
    before: unknown,
  ): Promise<boolean | undefined> {
    const { ctx, module, environment, operation, reason } = this.#options
    return withOwnSignal(ctx.signal, async (own) => {
      const stop = () => own.abort(environment.stop.reason)
      const look = () => {
        const why = this.#interruption()
        if (why) own.abort(new InterruptedError(why))
      }
      environment.stop.addEventListener('abort', stop, { once: true })
      const unsubscribe = environment.onChange(module, look)
      if (environment.stop.aborted) stop()
      look()
      try {
        const timeoutMs = this.#timeoutMs
        const { logger, clock } = ctx
        const { signal } = own
        const call = { operation, reason, timeoutMs, signal, clock, logger, metaData, before }
        return await callManager(session, call)
      } catch (error) {
        if (error instanceof HangingCallError) this.#keep(error)
        throw error
      } finally {
        unsubscribe()
        environment.stop.removeEventListener('abort', stop)
      }
    })
  }

  /** Why the call is not wanted any more. */
  #interruption(): string | undefined {
    const { module, environment, operation } = this.#options
    const { namespace = '', name = '', uid } = module.metadata
    const now = environment.cluster.store(modules).get({ namespace, name })
    if (operation.kind === 'uninstall') return undefined
    if (!now || now.metadata.uid !== uid || now.metadata.deletionTimestamp)
      return 'the Module is being deleted'
    const sleeps = wantsSleep(now, environment.cluster.store(workspaces))
    if (operation.kind === 'sleep' && !sleeps) return 'the Module is to wake'
    if ((operation.kind === 'resume' || operation.kind === 'check') && sleeps) return 'the Module is to sleep'
    if (operation.kind === 'upgrade' && upgradeTarget(now, this.#definitions[0]) !== operation.target)
      return 'the Module changed again'
    return undefined
  }

  /** Calls for one Module never overlap: the next one waits for this. */
  #keep({ ended }: HangingCallError): void {
    const { hanging } = this.#options.environment
    const { uid = '' } = this.#options.module.metadata
    hanging.set(uid, ended)
    void ended.then(() => hanging.delete(uid))
  }

  get #timeoutMs(): number {
    const { module, longestMs = Number.POSITIVE_INFINITY } = this.#options
    const { timeout } = module.spec
    return Math.min(longestMs, timeout === undefined ? defaultTimeoutMs : durationMs(timeout))
  }
}
