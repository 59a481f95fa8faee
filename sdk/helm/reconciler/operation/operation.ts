import difference from 'lodash/difference.js'
import type { ReleaseStatus } from '../../release/release.js'
import type { StoredRelease } from '../../release/stored-release.js'
import type { HookEvent, HookRun, ReleaseHook } from '../../render/release-hook.js'
import type { RenderError } from '../../render/render-error.js'
import { checkRecordedObjects } from '../goal/check-allowed.js'
import type { RenderingNow } from '../goal/wanted-release.js'
import type { ReleaseObject } from '../objects/release-object.js'
import { type ReleaseRun, timeOf } from '../run/release-run.js'
import { type HookEnvironment, hooksFor } from './chart-hooks.js'
import { runEventHooks } from './event-hooks.js'
import { checkHookOurs } from './hook-ownership.js'
import { takeFields } from './take-fields.js'
import { withoutLastRun } from './without-last-run.js'

/** The steps of an operation in their order. The record of the revision names the current one. */
export type Stage = 'pre-hooks' | 'objects' | 'readiness' | 'post-hooks'

const stages: ReadonlySet<string> = new Set<Stage>(['objects', 'readiness', 'post-hooks'])

const defaultTimeoutMs = 300_000

/** Options of {@link Operation}. */
export interface OperationOptions {
  /** The revisions before the operation: they show which objects helm made for hooks. */
  readonly before: readonly StoredRelease[]
  /** Renders the chart, which limits the hooks that a record may contain. */
  readonly now: RenderingNow
  /** Reports a hook that can never run and is left out; default: the operation fails. */
  readonly leaveOut?: (error: RenderError) => void
}

/**
 * An operation on a revision whose record exists: an install, an upgrade, a rollback or an uninstallation. Each step is
 * recorded before it is done. `carryOut` and `uninstall` call its methods in the order of the steps.
 */
export class Operation {
  readonly #run: ReleaseRun
  readonly #options: OperationOptions
  #revision: StoredRelease
  /** Whether there are noted runs of hooks that are not stored yet. */
  #hasNotes = false
  /** The current step, if the record does not name it. */
  #unrecordedStage: Stage | undefined

  constructor(run: ReleaseRun, revision: StoredRelease, options: OperationOptions) {
    this.#run = run
    this.#options = options
    this.#revision = revision
  }

  get revision(): StoredRelease {
    return this.#revision
  }

  /** The current step; the first one if the record names none. */
  get stage(): Stage {
    const { stage = '' } = this.#revision.written ?? {}
    if (this.#unrecordedStage) return this.#unrecordedStage
    return stages.has(stage) ? (stage as Stage) : 'pre-hooks'
  }

  /** The limit of each hook and of readiness, in milliseconds. */
  get timeoutMs(): number {
    const { annotations, options } = this.#run
    return annotations.timeoutMs ?? options.timeoutMs ?? defaultTimeoutMs
  }

  /** The time since the current step began, in milliseconds. */
  get sinceMs(): number {
    const since = Date.parse(this.#revision.written?.since ?? '')
    return Number.isNaN(since) ? 0 : this.#run.ctx.clock.date().getTime() - since
  }

  /** Runs the hooks of an event. Returns the object of the one that runs; undefined when all have ended. */
  async runHooks(event: HookEvent, areDisabled = false): Promise<ReleaseObject | undefined> {
    if (areDisabled) return undefined
    return runEventHooks(() => hooksFor(this.#revision.release.hooks, event), this.#environmentOf(event))
  }

  /**
   * Goes from the hooks of an event to the next step. If the event has no hooks, the step is not recorded: after an
   * interruption, the step before has nothing to do.
   */
  async leaveHooks(event: HookEvent, stage: Stage, areDisabled = false): Promise<void> {
    if (this.#hasHooks(event, areDisabled)) return this.enter(stage)
    this.#unrecordedStage = stage
  }

  /**
   * Goes to the hooks of an event. If the event has no hooks, the step is not recorded: after an interruption, the step
   * before is repeated, which changes nothing.
   */
  async enterHooks(event: HookEvent, areDisabled = false): Promise<void> {
    if (this.#hasHooks(event, areDisabled)) return this.enter('post-hooks', event)
    this.#unrecordedStage = 'post-hooks'
  }

  #hasHooks(event: HookEvent, areDisabled: boolean): boolean {
    return !areDisabled && hooksFor(this.#revision.release.hooks, event).length > 0
  }

  /** Records the next step. Hooks of `event` run again if an earlier operation has run them. */
  async enter(stage: Stage, event?: HookEvent): Promise<void> {
    const { release, written } = this.#revision
    const hooks = release.hooks.map((hook) =>
      event && hook.events.includes(event) ? withoutLastRun(hook) : hook,
    )
    await this.#write({
      release: { ...release, hooks },
      ...(written && {
        written: { ...written, stage, since: timeOf(this.#run), holder: this.#run.holder },
      }),
    })
  }

  /** Records objects that others made since the operation began, before they are written. */
  async noteExisting(existing: readonly string[]): Promise<void> {
    const { written } = this.#revision
    const isBeforeWrites = this.stage === 'pre-hooks' || this.stage === 'objects'
    if (!written || !isBeforeWrites || difference(existing, written.existing ?? []).length === 0) return
    const stage = this.#unrecordedStage
    await this.#write({ written: { ...written, existing } })
    this.#unrecordedStage = stage
  }

  /** As {@link noteExisting}, for objects that others made since the objects were read. */
  async noteMoreExisting(existing: readonly string[]): Promise<void> {
    const { existing: known = [] } = this.#revision.written ?? {}
    await this.noteExisting([...known, ...difference(existing, known)])
  }

  /** Records the end. */
  async end(status: ReleaseStatus, description: string): Promise<void> {
    const { release } = this.#revision
    const info = { ...release.info, status, description, last_deployed: timeOf(this.#run) }
    await this.#write({ release: { ...release, info } })
  }

  /** The parts of the run that the hooks of an event need. */
  #environmentOf(event: HookEvent): HookEnvironment {
    const { live, kinds, ctx, secretTexts } = this.#run
    return {
      live,
      kinds,
      owner: this.#run,
      run: this.#runOf(event),
      timeoutMs: this.timeoutMs,
      now: () => ctx.clock.date(),
      check: (object) => {
        secretTexts.noteRendered([object])
        return checkRecordedObjects(this.#run, [object], this.#options.now)
      },
      checkOurs: (object, live) => checkHookOurs(this.#run, this.#options.before, { object, live }),
      takeFields: (object) => takeFields(this.#run, object),
      note: (hook, run) => this.#note(hook, run),
      leaveOut: this.#options.leaveOut,
      store: async () => (this.#hasNotes ? this.#write({}) : undefined),
    }
  }

  /**
   * Identifies the run of an event. It differs from runs for an earlier custom resource of the same name, and for a
   * release that another program uninstalled.
   */
  #runOf(event: HookEvent): string {
    const { version, info } = this.#revision.release
    const attempt = this.#revision.written?.attempt ?? 0
    return [this.#run.owner.uid, version, attempt, event, info.deleted ?? info.last_deployed].join('.')
  }

  /** Notes the last run of a hook in the revision. `#write` stores it later. */
  #note(hook: ReleaseHook, run: HookRun): ReleaseHook {
    const { release } = this.#revision
    const notedHook = { ...hook, last_run: run }
    const hooks = release.hooks.map((candidate) => (candidate === hook ? notedHook : candidate))
    this.#revision = { ...this.#revision, release: { ...release, hooks } }
    this.#hasNotes = true
    return notedHook
  }

  /** Stores the revision with a change and the noted runs of hooks. */
  async #write(change: Partial<StoredRelease>): Promise<void> {
    this.#revision = await this.#run.store.update({ ...this.#revision, ...change }, this.#run.ctx.signal)
    this.#unrecordedStage = undefined
    this.#hasNotes = false
  }
}
