/**
 * One run of one Module. A run either records the next attempt of an operation in the status, or makes the attempt that
 * was recorded; so each attempt is known before it is made, and a crash is seen by the next process.
 */
import type { ReconcileResult } from '../../engine/controller/reconcile-result.js'
import { formatKey } from '../../engine/kube/key.js'
import type { ControllerContext } from '../../operator/controller/context.js'
import { requeue } from '../../operator/controller/definition.js'
import type { Module, ModulePhase, OperationRecord } from '../kinds/module.js'
import { workspaces } from '../kinds/workspace-kind.js'
import type { OperationContext } from '../manager/manager.js'
import { HangingCallError, InterruptedError } from './call/call-manager.js'
import { type MadeCall, ModuleCall } from './call/module-call.js'
import { isOutOfReach, takesModules, wantsSleep } from './call/wants-sleep.js'
import type { ModuleEnvironment } from './connection/module-environment.js'
import { isLost } from './connection/target-cluster.js'
import { recordKinds } from './connection/written-kinds.js'
import { type FrozenDefinition, frozenDefinition, mayBeInstalled } from './definition/definition.js'
import { removeFormerFinalizer } from './definition/former-finalizer.js'
import { ReplacedDefinitionError } from './installation/installation.js'
import { upgradeTarget } from './installation/upgrade.js'
import { describeLeftovers, reportLeftovers } from './operation/leftovers.js'
import { checkIdle, reportPhase } from './operation/module-idle.js'
import { revisionsOf } from './operation/named-config-maps.js'
import {
  forceDeleteAnnotation,
  reportAttempt,
  reportFailedAttempt,
  reportSuccess,
  setPhase,
} from './operation/report-operation.js'
import { usedProgram } from './programs/program-users.js'
import { eventAfter, nextStep, phaseAfter, type StepKind } from './record/decide.js'
import { attemptFailure } from './record/failure.js'
import { isReadableMetaData } from './record/metadata-store.js'
import {
  beginOperation,
  dueInMs,
  hasFailed,
  hasInputChanged,
  nextAttempt,
} from './record/operation-record.js'
import { waitForVcluster, waitForWorkspace } from './record/waiting.js'

/** Requeues at once, after the status of this run was written. */
const requeueAtOnce: ReconcileResult = { requeueAfterMs: 1 }
/** The interval of checks whether a hanging call has ended, in milliseconds. */
const recheckMs = 10_000

/** One run of a Module. */
export class ModuleRun {
  readonly #ctx: ControllerContext<Module>
  readonly #module: Module
  readonly #environment: ModuleEnvironment

  constructor(ctx: ControllerContext<Module>, module: Module, environment: ModuleEnvironment) {
    this.#ctx = ctx
    this.#module = module
    this.#environment = environment
  }

  /** A run of a Module that is not being deleted. */
  async reconcile(): Promise<ReconcileResult | undefined> {
    await removeFormerFinalizer(this.#ctx, this.#module)
    const { phase, operation } = this.#module.status ?? {}
    const store = this.#ctx.store(workspaces)
    const step = nextStep({ phase, operation, wantsSleep: wantsSleep(this.#module, store) })
    if (!step) return this.#handleIdle(phase ?? 'ready')
    const workspace = store.get(this.#module.spec.workspace)
    if (step === 'install' && !takesModules(workspace)) {
      setPhase(this.#ctx, 'installing')
      waitForWorkspace(this.#ctx, this.#module, workspace !== undefined)
      return undefined
    }
    if (isOutOfReach(workspace)) return waitForVcluster(this.#ctx, this.#module)
    return this.#runStep(step)
  }

  /** A run of a Module that is being deleted. If it returns nothing, the finalizer is removed. */
  async uninstall(): Promise<ReconcileResult | undefined> {
    const { annotations = {} } = this.#module.metadata
    if (annotations[forceDeleteAnnotation] === 'true') return this.#abandon()
    const isInstalled = await mayBeInstalled(this.#module.metadata)
    if (isInstalled && isLost((await this.#readFrozen())?.cluster, this.#ofRun)) return this.#abandon()
    const workspace = this.#ctx.store(workspaces).get(this.#module.spec.workspace)
    if (isInstalled && isOutOfReach(workspace)) return waitForVcluster(this.#ctx, this.#module)
    const result = isInstalled ? await this.#runStep('uninstall') : undefined
    return result ?? this.#releaseModule()
  }

  /** Ends the deletion of the Module without a call of its manager. */
  async #abandon(): Promise<undefined> {
    const leftovers = await describeLeftovers(await this.#readFrozen(), this.#ofRun)
    this.#ctx.events.warning(
      'Abandoned',
      `the Module is deleted by force, without a call of its manager; left in the cluster: ${leftovers}`,
    )
    return this.#releaseModule()
  }

  /** Forgets the Module, whose finalizer is removed after this run. */
  async #releaseModule(): Promise<undefined> {
    const { checks, sleepVerdicts, refusals, attempts, programs, leaving } = this.#environment
    for (const memory of [checks, sleepVerdicts, refusals, attempts]) memory.delete(this.#uid)
    const used = programs.areLoaded ? usedProgram(this.#module) : undefined
    if (used) leaving.set(formatKey(this.#ctx.key), used)
    await removeFormerFinalizer(this.#ctx, this.#module)
  }

  /** The frozen definition; undefined if there is none, or if it cannot be read. */
  #readFrozen(): Promise<FrozenDefinition | undefined> {
    const { annotations = {} } = this.#module.metadata
    return frozenDefinition({ annotations }).catch(() => undefined)
  }

  get #ofRun() {
    return { ctx: this.#ctx, module: this.#module, environment: this.#environment }
  }

  /** Takes the next step of an operation: begins it, makes its recorded attempt, or plans the next attempt. */
  async #runStep(kind: StepKind): Promise<ReconcileResult | undefined> {
    const { operation } = this.#module.status ?? {}
    const now = this.#ctx.clock.date()
    const target = kind === 'upgrade' ? await this.#upgradeTarget(operation) : undefined
    if (operation?.kind !== kind || operation.target !== target)
      return this.#record(beginOperation(kind, now, target), 'first')
    if (!hasFailed(operation)) return this.#attempt(operation)
    const isMetaDataMended = operation.reason === 'BadMetaData' && isReadableMetaData(this.#module)
    if (isMetaDataMended || hasInputChanged(operation, this.#module, this.#inputs))
      return this.#record(nextAttempt(operation, { now, isChanged: true }), 'changed')
    const leftMs = dueInMs(operation, { now, module: this.#module })
    if (leftMs === 0) return this.#record(nextAttempt(operation, { now }), 'retry')
    return Number.isFinite(leftMs) ? requeue({ afterMs: leftMs, exact: true }) : undefined
  }

  /** The target of an upgrade: that of the operation if its definition is frozen, else that of the present Module. */
  async #upgradeTarget(operation: OperationRecord | undefined): Promise<string> {
    const frozen = await frozenDefinition(this.#module.metadata)
    const written = frozen?.upgrade
    const isFrozen = written !== undefined && written === operation?.target
    return isFrozen ? written : upgradeTarget(this.#module, frozen)
  }

  /** Records an attempt. The next run makes it. */
  #record(operation: OperationRecord, reason: OperationContext['reason']): ReconcileResult {
    reportAttempt(this.#ctx, operation, reason)
    this.#environment.attempts.add(this.#uid, operation, reason)
    return requeueAtOnce
  }

  /** Makes a recorded attempt, and handles its end. */
  async #attempt(operation: OperationRecord): Promise<ReconcileResult | undefined> {
    const { hanging, attempts, stop } = this.#environment
    if (hanging.has(this.#uid)) return { requeueAfterMs: recheckMs }
    const reason = attempts.take(this.#uid, operation)
    if (reason === 'crash')
      this.#ctx.events.warning(
        'Recovered',
        `${operation.kind} began before and did not end, because the operator or its program ended; it is repeated`,
      )
    if (operation.kind === 'uninstall' && !(await mayBeInstalled(this.#module.metadata)))
      return this.#handleUninstalled()
    const ctx = this.#ctx
    const inputs = this.#inputs
    const call = new ModuleCall({ ...this.#ofRun, operation, reason })
    try {
      const madeCall = await call.make()
      recordKinds(ctx.status, call.kinds)
      return await this.#handleSuccess(operation, madeCall)
    } catch (error) {
      if (stop.aborted || ctx.signal.aborted) throw error
      recordKinds(ctx.status, call.kinds)
      const cause = error instanceof HangingCallError ? error.cause : error
      if (cause instanceof InterruptedError) return this.#handleInterruption(operation)
      if (error instanceof ReplacedDefinitionError) return this.#uninstallFormer(error.message)
      const failure = attemptFailure(error, operation.kind, call.secretTexts)
      return reportFailedAttempt(this.#ofRun, { operation, failure, inputs })
    }
  }

  /** Writes the status after a call that has succeeded. */
  async #handleSuccess({ kind }: OperationRecord, madeCall: MadeCall): Promise<ReconcileResult | undefined> {
    if (kind === 'uninstall') return this.#handleUninstalled(madeCall)
    for (const memory of [this.#environment.checks, this.#environment.sleepVerdicts]) memory.delete(this.#uid)
    reportSuccess(this.#ofRun, kind, madeCall)
    reportPhase(this.#ofRun, phaseAfter[kind])
    return requeueAtOnce
  }

  /**
   * Handles the end of an uninstallation. A Module that is not being deleted is then installed by its present
   * definition.
   */
  async #handleUninstalled(call?: MadeCall): Promise<ReconcileResult | undefined> {
    this.#ctx.events.normal(eventAfter.uninstall, 'uninstall has succeeded')
    if (call && this.#module.metadata.deletionTimestamp) await reportLeftovers(this.#ofRun, call)
    if (this.#module.metadata.deletionTimestamp) return undefined
    this.#ctx.status.operation = undefined
    this.#ctx.status.message = undefined
    setPhase(this.#ctx, 'installing')
    return requeueAtOnce
  }

  /** Begins to uninstall the former definition of a Module that changed before it was installed. */
  #uninstallFormer(message: string): ReconcileResult {
    this.#ctx.status.message = message
    return this.#record(beginOperation('uninstall', this.#ctx.clock.date()), 'changed')
  }

  /**
   * Handles an aborted call: the attempt counts as begun, so that the next run knows that there may be something to
   * undo.
   */
  #handleInterruption(operation: OperationRecord): ReconcileResult {
    this.#environment.attempts.add(this.#uid, operation, 'changed')
    return requeueAtOnce
  }

  /** Handles a Module that is in its intended phase. */
  async #handleIdle(phase: ModulePhase): Promise<ReconcileResult | undefined> {
    const result = await checkIdle(this.#ofRun, phase)
    if (!result || !('upgradeTo' in result)) return result
    return this.#record(beginOperation('upgrade', this.#ctx.clock.date(), result.upgradeTo), 'first')
  }

  /** The revisions of the ConfigMaps that the Module names. A failed attempt is repeated when they change. */
  get #inputs(): string | undefined {
    return revisionsOf(this.#module, this.#environment.configMaps)
  }

  get #uid(): string {
    return this.#module.metadata.uid ?? ''
  }
}
