import type { ReconcileResult } from '../../engine/controller/reconcile-result.js'
import type { Run } from '../../engine/controller/run.js'
import { PermanentError } from '../../engine/kube/error.js'
import { freezeJson } from '../../engine/kube/json.js'
import { formatKey } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { EventRecorder } from '../../engine/observe/event-recorder.js'
import { WaitError } from '../apply/wait-error.js'
import type { ControllerContext } from '../controller/context.js'
import { isOwnKind, parseAs } from '../controller/own-kind.js'
import type { WiredController } from '../controller/wired-controller.js'
import type { RunEffects } from '../effect/run-effects.js'
import { hasFinalizer } from '../finalizer/finalizers.js'
import type { FieldProblem } from '../kind/define/admission.js'
import type { ParseResult, ProblemCondition } from '../kind/define/kind.js'
import type { StatusDraft } from '../status/status-draft.js'
import { writeStatus } from '../status/write-status.js'
import { draftOf } from './draft-of.js'
import { effectsOf } from './effects-of.js'
import { eventsAbout } from './events-about.js'
import { OwnedObjects } from './owned-objects.js'
import { hasPausedAnnotation } from './paused.js'
import { PrimaryObject } from './primary-object.js'
import { problemOf } from './problem-of.js'
import { isRefused } from './rejection-of.js'
import type { RunContext } from './run-context.js'
import { type RunOutcome, repeatAfter, type WorkEnd } from './run-outcome.js'

/** Options of {@link ObjectRun}. */
export interface ObjectRunOptions<T extends KubeObject> {
  wired: WiredController<T>
  run: Run
  events: EventRecorder
  context: RunContext
  object: T
  /** Whether the controller selects the object; if not, this run releases it. */
  selected: boolean
}

/** One run of a key whose object exists. */
export class ObjectRun<T extends KubeObject> {
  readonly #options: ObjectRunOptions<T>
  readonly #owned: OwnedObjects
  readonly #draft: StatusDraft
  readonly #primary: PrimaryObject<T>
  #begunEffects: RunEffects<T> | undefined

  constructor(options: ObjectRunOptions<T>) {
    const { wired, context, object } = options
    this.#options = options
    this.#primary = new PrimaryObject({ wired, context, object })
    this.#draft = draftOf(wired, object)
    this.#owned = new OwnedObjects({
      wired: wired as unknown as WiredController,
      context,
      primary: this.#primary as unknown as PrimaryObject,
      warn: (reason, message) => options.events.warning(this.#object, reason, message),
    })
  }

  /** Reconciles, finalizes, releases or reports the object, depending on its state. */
  async run(): Promise<ReconcileResult | undefined> {
    const { resource } = this.#options.wired
    if (this.#object.metadata.deletionTimestamp !== undefined) return this.#finalize()
    const parsed = parseAs(resource, this.#object)
    if (!this.#options.selected) return this.#release(parsed)
    if (!parsed.ok) return this.#reportInvalid(parsed.problems)
    if (hasPausedAnnotation(this.#object, resource.group)) return undefined
    return this.#reconcile(parsed.object)
  }

  /**
   * Releases an object that is not selected any more. Its finalizer is removed, because its deletion would not be
   * observed. The objects that it owns stay. While the work waits, the object is not released.
   */
  async #release(parsed: ParseResult<T>): Promise<ReconcileResult | undefined> {
    const { selection } = this.#options.wired
    if (parsed.ok && !hasPausedAnnotation(this.#object, this.#options.wired.resource.group)) {
      const { isWaiting, result } = await this.#withStatus('Stalled', (ctx) => this.#call(ctx, parsed.object))
      if (isWaiting) return result
    }
    await this.#primary.removeFinalizer()
    selection?.release(this.#object)
    return undefined
  }

  async #reconcile(parsed: T): Promise<ReconcileResult | undefined> {
    const { needsFinalizer, options } = this.#options.wired
    const { result } = await this.#withStatus('Stalled', async (ctx) => {
      if (needsFinalizer) await this.#primary.requireFinalizer()
      const result = await this.#call(ctx, parsed)
      await this.#owned.prune()
      return this.#reportContest(result ?? repeatAfter(options.everyMs))
    })
    return result
  }

  /** Reports fields and objects that other writers change back or delete each time, and runs the key again later. */
  #reportContest(result: ReconcileResult | undefined): ReconcileResult | undefined {
    const { contest } = this.#owned
    if (!contest) return result
    const { message, resumeMs } = contest
    this.#options.events.warning(this.#object, 'FieldContested', message)
    this.#draft.setProblem({ type: 'Stalled', reason: 'FieldContested', message })
    return { requeueAfterMs: Math.min(resumeMs, result?.requeueAfterMs ?? Infinity) }
  }

  async #call(ctx: ControllerContext<T>, parsed: T): Promise<ReconcileResult | undefined> {
    const { finalizers } = this.#object.metadata
    const current = { ...parsed, metadata: { ...parsed.metadata, ...(finalizers && { finalizers }) } }
    const { options } = this.#options.wired
    const call = () => options.reconcile(ctx, freezeJson(current))
    return (await this.#owned.whileApplying(call)) ?? undefined
  }

  /** Reports an invalid object. It is not reconciled until a person has corrected it, but it can be deleted. */
  async #reportInvalid(problems: readonly FieldProblem[]): Promise<undefined> {
    const message = problems.map((problem) => `${problem.path}: ${problem.message}`).join('; ')
    this.#options.events.warning(this.#object, 'Invalid', `the object does not fit its schema: ${message}`)
    for (const type of ['Valid', 'Stalled'] as const)
      this.#draft.setProblem({ type, reason: 'SchemaMismatch', message })
    await this.#writeStatus()
  }

  /**
   * Finalizes the object. The garbage collector deletes dependents with an owner reference. The other dependents are
   * deleted here, and the object stays until they are gone.
   */
  async #finalize(): Promise<ReconcileResult | undefined> {
    const { options, finalizer } = this.#options.wired
    if (!hasFinalizer(this.#object, finalizer)) return undefined
    const { isWaiting, result } = await this.#withStatus('Finalized', async (ctx) => {
      const result = await this.#owned.whileApplying(() => options.finalize?.(ctx, this.#object))
      if (result) return result
      await this.#effects.removeAll()
      return this.#owned.pruneUnreferenced()
    })
    if (isWaiting || result) return result
    await this.#primary.removeFinalizer()
    return undefined
  }

  /** Does the work, then writes the status. Writes it also after an error, and rethrows the error. */
  async #withStatus(
    problem: ProblemCondition,
    work: (ctx: ControllerContext<T>) => Promise<WorkEnd>,
  ): Promise<RunOutcome> {
    try {
      const ended = await work(this.#contextOf())
      // An object that is about to be removed needs no status.
      if (problem === 'Stalled' || ended !== undefined) await this.#writeStatus()
      this.#options.wired.failedRuns.clear(this.#options.run.key)
      return ended === 'waiting'
        ? { isWaiting: true, result: undefined }
        : { isWaiting: false, result: ended }
    } catch (error) {
      const { context, wired, run } = this.#options
      // Before the status is written: what the key waits for may go meanwhile.
      if (error instanceof WaitError) wired.waits.set(formatKey(run.key), { message: error.message })
      const { againMs } = error instanceof WaitError ? error : {}
      const result = error instanceof WaitError ? this.#reportContest(repeatAfter(againMs)) : undefined
      const { resumeMs = Infinity } = this.#owned.contest ?? {}
      if (error instanceof PermanentError && resumeMs < (error.retryInMs ?? Infinity))
        error.retryInMs = resumeMs
      if (!run.signal.aborted) await this.#writeStatusAfter(error, problem)
      if (!(error instanceof WaitError)) throw error
      context.logger.debug({}, error.message)
      return { isWaiting: true, result }
    }
  }

  /** Writes the status after a failed run. A failure to write it must not hide the error of the run. */
  async #writeStatusAfter(error: unknown, problem: ProblemCondition): Promise<void> {
    const { context, events, wired } = this.#options
    const { logger } = context
    const { noted, event } = problemOf(error, {
      about: problem,
      object: this.#object,
      runs: wired.failedRuns,
    })
    if (noted) this.#draft.setProblem(noted)
    if (noted?.type !== 'Stalled') this.#draft.setUnfinished()
    if (event !== undefined) events.warning(this.#object, 'Rejected', event)
    const log = (error: unknown) => logger.debug({ error }, 'writing the status after a failed run failed')
    await this.#writeStatus().catch(async (statusError: unknown) => {
      if (!isRefused(statusError)) return log(statusError)
      this.#draft.dropFields()
      await this.#writeStatus().catch(log)
      return undefined
    })
  }

  /** The effects of the object, with the journal as this run knows it. */
  get #effects(): RunEffects<T> {
    this.#begunEffects ??= effectsOf({ ...this.#options, primary: this.#primary })
    return this.#begunEffects
  }

  #contextOf(): ControllerContext<T> {
    const { context, events } = this.#options
    // Not a spread, which would create the signal of each run.
    return Object.assign(
      context.base((cluster) => this.#owned.accessTo(cluster)),
      {
        selected: this.#options.selected,
        events: eventsAbout(events, () => this.#object),
        status: this.#draft.fields as ControllerContext<T>['status'],
        writeStatus: () => this.#writeProgress(),
        condition: (type, status, reason, message) => this.#draft.set(type, status, reason, message),
        effect: async (name) => (await this.#effects.ensure(name)) as never,
        effects: async (name, keys) => (await this.#effects.ensureAll(name, keys)) as never,
        releaseEffects: () => this.#effects.releaseAll(),
      } satisfies Partial<ControllerContext<T>>,
    )
  }

  /** Writes the draft while the run goes on, with a condition that tells waiting tools that the object is not done. */
  async #writeProgress(): Promise<void> {
    const isOurs = !this.#draft.declared.includes('Reconciling')
    if (isOurs)
      this.#draft.setProblem({ type: 'Reconciling', reason: 'Progressing', message: 'reconcile is at work' })
    try {
      this.#primary.noteStatus(await this.#writeStatus({ isProgress: true }))
    } finally {
      if (isOurs) this.#draft.clearProblem('Reconciling')
    }
  }

  #writeStatus({ isProgress = false } = {}): Promise<KubeObject | undefined> {
    const { wired, context } = this.#options
    const { resource, fieldManager, environment } = wired
    return writeStatus(this.#object, this.#draft, {
      cluster: context.primary,
      resource,
      fieldManager,
      isOwnKind: isOwnKind(resource),
      managers: wired.statusManagers,
      unknownFields: wired.unknownStatusFields,
      now: environment.clock.date(),
      logger: context.logger,
      isProgress,
    })
  }

  /** The object as it was read, or as it is since the run wrote its metadata. */
  get #object(): T {
    return this.#primary.live
  }
}
