import type { ReleaseStatus } from '../release/release.js'
import type { StoredRelease } from '../release/stored-release.js'
import type { HookEvent, HookRun, ReleaseHook } from '../render/release-hook.js'
import { deleteSucceeded, type HookEnvironment, hooksFor, runHook } from './chart-hooks.js'
import { checkObjectsAllowed } from './check-allowed.js'
import type { ReleaseObject } from './release-object.js'
import { type ReleaseRun, timeOf } from './release-run.js'

/** The steps of an operation in their order. The record of the revision names the current one. */
export type Stage = 'pre-hooks' | 'objects' | 'readiness' | 'post-hooks'

const stages: ReadonlySet<string> = new Set<Stage>(['objects', 'readiness', 'post-hooks'])

const defaultTimeoutMs = 300_000

/** An operation on a revision whose record exists. Each step is recorded before it is done. */
export class Operation {
  readonly #run: ReleaseRun
  #revision: StoredRelease
  /** The step that is being done, if it is not recorded. */
  #passed: Stage | undefined

  constructor(run: ReleaseRun, revision: StoredRelease) {
    this.#run = run
    this.#revision = revision
  }

  get revision(): StoredRelease {
    return this.#revision
  }

  /** The current step; the first one if the record names none. */
  get stage(): Stage {
    const { stage = '' } = this.#revision.written ?? {}
    if (this.#passed) return this.#passed
    return stages.has(stage) ? (stage as Stage) : 'pre-hooks'
  }

  /** The limit of each hook and of readiness, in milliseconds. */
  get timeoutMs(): number {
    const { annotations, options } = this.#run
    return annotations.timeoutMs ?? options.timeoutMs ?? defaultTimeoutMs
  }

  /** For how long the current step has been running, in milliseconds. */
  get sinceMs(): number {
    const since = Date.parse(this.#revision.written?.since ?? '')
    return Number.isNaN(since) ? 0 : this.#run.ctx.clock.date().getTime() - since
  }

  /** Runs the hooks of an event. Returns the object of the one that runs; undefined when all have ended. */
  async runHooks(event: HookEvent, areDisabled = false): Promise<ReleaseObject | undefined> {
    if (areDisabled) return undefined
    const environment = this.#environmentOf(event)
    const hooks = () => hooksFor(this.#revision.release.hooks, event)
    const next = () => hooks().find((hook) => hook.last_run?.phase !== 'Succeeded')
    // If a process died between the record and the deletion, the objects of these hooks still exist.
    for (const hook of hooks())
      if (hook.last_run?.phase === 'Succeeded') await deleteSucceeded(hook, environment)
    for (let hook = next(); hook; hook = next()) {
      const isBegun = hook.last_run?.phase === 'Running'
      const running = await runHook(hook, environment)
      // The first call records the run, the second one creates the object.
      if (running && isBegun) return running
    }
    return undefined
  }

  /**
   * Goes from the hooks of an event to the next step. If there are none, it is not recorded: an interrupted process finds nothing to do
   * in the step before.
   */
  async leaveHooks(event: HookEvent, stage: Stage, areDisabled = false): Promise<void> {
    if (this.#has(event, areDisabled)) return this.enter(stage)
    this.#passed = stage
  }

  /**
   * Goes to the hooks of an event. If there are none, it is not recorded: an interrupted process repeats the step before, which changes
   * nothing.
   */
  async enterHooks(event: HookEvent, areDisabled = false): Promise<void> {
    if (this.#has(event, areDisabled)) return this.enter('post-hooks', event)
    this.#passed = 'post-hooks'
  }

  #has(event: HookEvent, areDisabled: boolean): boolean {
    return !areDisabled && hooksFor(this.#revision.release.hooks, event).length > 0
  }

  /** Records the next step. Hooks of `event` run again if an earlier operation has run them. */
  async enter(stage: Stage, event?: HookEvent): Promise<void> {
    const { release, written } = this.#revision
    const hooks = release.hooks.map((hook) => (event && hook.events.includes(event) ? fresh(hook) : hook))
    await this.#write({
      release: { ...release, hooks },
      ...(written && {
        written: { ...written, stage, since: timeOf(this.#run), holder: this.#run.holder },
      }),
    })
  }

  /** Records the end. */
  async end(status: ReleaseStatus, description: string): Promise<void> {
    const { release } = this.#revision
    const info = { ...release.info, status, description, last_deployed: timeOf(this.#run) }
    await this.#write({ release: { ...release, info } })
  }

  #environmentOf(event: HookEvent): HookEnvironment {
    const { live, kinds, ctx, secretTexts } = this.#run
    const { version } = this.#revision.release
    return {
      ...{ live, kinds, owner: this.#run },
      run: `${version}.${this.#revision.written?.attempt ?? 0}.${event}`,
      timeoutMs: this.timeoutMs,
      now: () => ctx.clock.date(),
      check: (object) => {
        secretTexts.noteRendered([object])
        return checkObjectsAllowed(this.#run, [object])
      },
      record: (hook: ReleaseHook, run: HookRun) => this.#record(hook, run),
    }
  }

  async #record(hook: ReleaseHook, run: HookRun): Promise<void> {
    const { release } = this.#revision
    const hooks = release.hooks.map((one) => (one === hook ? { ...one, last_run: run } : one))
    await this.#write({ release: { ...release, hooks } })
  }

  async #write(change: Partial<StoredRelease>): Promise<void> {
    this.#revision = await this.#run.store.update({ ...this.#revision, ...change }, this.#run.ctx.signal)
    this.#passed = undefined
  }
}

/** A hook that has not run. */
export function fresh({ last_run: _, ...hook }: ReleaseHook): ReleaseHook {
  return hook
}
