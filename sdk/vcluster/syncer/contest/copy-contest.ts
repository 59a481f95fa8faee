import difference from 'lodash/difference.js'
import minBy from 'lodash/minBy.js'
import { ContestedFields, wholeObject } from '../../../engine/controller/contested-fields.js'
import type { ReconcileResult } from '../../../engine/controller/reconcile-result.js'
import { PermanentError } from '../../../engine/kube/error.js'
import { maxNames } from '../../../engine/kube/few-names.js'
import { jsonEqual } from '../../../engine/kube/json.js'
import { formatKey, keyOf } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import type { Clock } from '../../../engine/time/clock.js'
import type { SyncContext } from '../../context/sync-context.js'
import { lastSyncedField } from './changed-fields.js'
import {
  type CopiedUp,
  deletedMessage,
  exchangeMessage,
  resetMessage,
  upMessage,
} from './contest-messages.js'
import type { Contested, FieldMoves, FieldsUp, WantedCopy } from './contested.js'
import { FieldExchange } from './field-exchange.js'
import { ProvokedChanges } from './provoked-changes.js'
import { WrittenCopies } from './written-copies.js'

/**
 * Detects four conflicts with other programs: a program sets fields of a copy back each time, or deletes the copy each
 * time, although the original has not changed; a program sets the status or the finalizers of an original back each
 * time, although those of the copy have not changed; or programs of both clusters undo each other's changes of a field
 * that is synced in both directions. Admission that changes each write to another value counts as a program. Such
 * fields and copies are written more and more rarely, and an Event names them. A syncer has one CopyContest, which is
 * asked before each write and records it. A run is repeated when a pause ends, also if the syncer does not return the
 * result of the pause.
 */
export class CopyContest {
  static readonly #ofSyncers = new WeakMap<object, CopyContest>()
  /** The results of the pauses of each run that must be repeated. */
  static readonly #pausesOf = new WeakMap<SyncContext, ReconcileResult[]>()
  readonly #originalOf: (ctx: SyncContext) => KubeObject | undefined
  readonly #contested: ContestedFields
  readonly #exchange: FieldExchange
  readonly #provoked: ProvokedChanges
  readonly #written = new WrittenCopies()
  /** The parts of copies that were copied to their originals, by the states of the copies. */
  readonly #copiedUp = {
    status: new WeakMap<KubeObject, unknown>(),
    finalizers: new WeakMap<KubeObject, unknown>(),
  }

  /** The fields that a run may repair, by their ids, until the repair is written. */
  readonly #permitted = new WeakMap<SyncContext, Map<string, readonly string[]>>()

  /** `originalOf` finds the stored original of the key of a run. */
  constructor(originalOf: (ctx: SyncContext) => KubeObject | undefined, clock: Pick<Clock, 'now'>) {
    this.#originalOf = originalOf
    this.#contested = new ContestedFields(clock)
    this.#exchange = new FieldExchange(clock)
    this.#provoked = new ProvokedChanges(clock)
  }

  /** The contest of a syncer, for functions that get the syncer. */
  static of(syncer: { readonly resource: Resource }, { clock }: Pick<SyncContext, 'clock'>): CopyContest {
    const { resource } = syncer
    const find = (run: SyncContext) => run.virtual.store(resource).get(run.key)
    return CopyContest.#ofSyncers.get(syncer) ?? CopyContest.for(syncer, find, clock)
  }

  /** Creates the contest of a syncer, which {@link of} finds without a public member of the syncer. */
  static for(syncer: object, ...args: ConstructorParameters<typeof CopyContest>): CopyContest {
    const contest = new CopyContest(...args)
    CopyContest.#ofSyncers.set(syncer, contest)
    return contest
  }

  /** The result of a run, or that of a pause in the run if it ends earlier. */
  static earliestResult(ctx: SyncContext, result: ReconcileResult | undefined): ReconcileResult | undefined {
    const pauses = CopyContest.#pausesOf.get(ctx) ?? []
    return minBy([result, ...pauses], (one) => one?.requeueAfterMs) ?? result
  }

  /** Makes a lasting error end when a pause in its run does. */
  static limitError(ctx: SyncContext, error: unknown): void {
    const { requeueAfterMs = Infinity } = CopyContest.earliestResult(ctx, undefined) ?? {}
    if (error instanceof PermanentError && requeueAfterMs < (error.retryInMs ?? Infinity))
      error.retryInMs = requeueAfterMs
  }

  /** Records the copy after a write. */
  recordWrite(ctx: SyncContext, copy: KubeObject | undefined): void {
    const original = this.#originalOf(ctx)
    if (!original) return
    const isChanged = this.#written.record(ctx, original, copy)
    if (copy && isChanged) this.#recordRepair(ctx, formatKey(keyOf(copy)))
  }

  /** Records that the run itself has copied a part of the copy to the original, and left the copy as it is. */
  recordUp(ctx: SyncContext, { virtual, host, part, value }: Omit<FieldsUp, 'fields'>): void {
    const original = this.#originalOf(ctx)
    if (!original) return
    this.#written.move(virtual, original)
    this.#copiedUp[part].set(host, value)
    const isChanged = original.metadata.resourceVersion !== virtual.metadata.resourceVersion
    if (isChanged) this.#recordRepair(ctx, upId(part, virtual))
  }

  /** Records that the plugin itself deletes the copy, which is not a conflict if it is created again. */
  recordDeletion(ctx: SyncContext): void {
    const original = this.#originalOf(ctx)
    if (original) this.#written.forget(original)
  }

  /**
   * Returns when to run again if the new copy must not be created now, because other programs delete it each time; else
   * undefined, and the creation is counted. `named` is the object of the virtual cluster that gets the Event; a copy
   * that does not exist is named with the UID of the deleted one.
   */
  pauseCreation(
    ctx: SyncContext,
    { copy, named }: { copy: KubeObject; named: KubeObject },
  ): ReconcileResult | undefined {
    const original = this.#originalOf(ctx)
    const { uid, resourceVersion } = (original && this.#written.get(original)) ?? {}
    if (!original || resourceVersion === undefined) return undefined
    const key = formatKey(keyOf(copy))
    const deletions = {
      id: `deletions of ${key}`,
      fields: [wholeObject],
      messageFor: () => deletedMessage(key),
    }
    const { metadata } = named
    const deleted = metadata.uid === undefined && uid ? { ...named, metadata: { ...metadata, uid } } : named
    const paused = this.#pauseOf(ctx, { named: deleted, ...deletions })
    if (paused) return paused
    // A creation that fails is tried again, and is counted once.
    this.#written.forget(original)
    this.#recordRepair(ctx, deletions.id)
    return undefined
  }

  /** Returns when to run again if the copy must not be written now; else undefined. */
  pause(ctx: SyncContext, { copy, wanted, announces, named }: WantedCopy): ReconcileResult | undefined {
    const original = this.#originalOf(ctx)
    if (!copy || !original) return undefined
    const id = formatKey(keyOf(copy))
    const found = this.#written.fieldsSetByOthers(ctx, original, { copy, wanted })
    const fields = announces ? found.filter((field) => field !== lastSyncedField) : found
    const messageFor = (contested: readonly string[]) => resetMessage(id, contested)
    return this.#pauseOf(ctx, { named: named ?? original, id, fields, messageFor })
  }

  /** Returns the fields that must not be moved now, and records the other moves. The run is then repeated later. */
  pausedMoves(ctx: SyncContext, { virtual, host, moves, content }: FieldMoves): ReadonlySet<string> {
    const key = formatKey(keyOf(host))
    const original = formatKey(keyOf(virtual))
    const setBack = this.#exchange.fieldsSetBack(key, moves)
    const fromHost = moves.filter(({ from }) => from === 'host').map(({ path }) => path)
    const provoked = fromHost.length > 0 && this.#provoked.has(key, content()) ? fromHost : []
    const paused = new Set([
      ...this.#pausedOf(ctx, {
        named: virtual,
        id: `exchange of ${key}`,
        fields: setBack,
        messageFor: (fields) => exchangeMessage({ id: key, original, fields }),
      }),
      ...this.#pausedOf(ctx, {
        named: virtual,
        id: `admission of ${key}`,
        fields: difference(provoked, setBack),
        messageFor: (fields) => resetMessage(key, fields),
      }),
    ])
    const made = moves.filter(({ path }) => !paused.has(path))
    this.#exchange.recordMoves(key, made)
    return paused
  }

  /** Records the remembered fields of the copy after the last write of a run that has changed the original. */
  recordExchange(copy: KubeObject, content: unknown): void {
    this.#provoked.record(formatKey(keyOf(copy)), content)
  }

  /** Those of the fields that are paused. The repairs of the others are counted. */
  #pausedOf(ctx: SyncContext, contested: Contested): readonly string[] {
    const { id, fields } = contested
    const paused = fields.filter((path) => !this.#contested.mayRepair(id, [path]))
    this.#contested.recordRepair(id, difference(fields, paused))
    if (paused.length > 0) this.#reportPause(ctx, { ...contested, fields: paused })
    return paused
  }

  /**
   * Returns whether a part of the copy must not be copied up now, because another program sets it back each time. The
   * run is then repeated later. A part that other objects have changed since it was copied up is not paused.
   */
  pausesUp(ctx: SyncContext, { virtual, host, part, value, fields }: FieldsUp): boolean {
    if (!jsonEqual(this.#copiedUp[part].get(host), value)) return false
    const key = formatKey(keyOf(virtual))
    const messageFor = (contested: readonly string[]) => upMessage(key, part, contested)
    return this.#pauseOf(ctx, { named: virtual, id: upId(part, virtual), fields, messageFor }) !== undefined
  }

  /** Returns the time until the fields may be written; undefined if they may be now. */
  #pauseOf(ctx: SyncContext, contested: Contested): ReconcileResult | undefined {
    const { id, fields } = contested
    if (fields.length > 0 && !this.#contested.mayRepair(id, fields)) return this.#reportPause(ctx, contested)
    const permitted = this.#permitted.get(ctx) ?? new Map<string, readonly string[]>()
    this.#permitted.set(ctx, permitted.set(id, fields))
    return undefined
  }

  /** Counts the repair of fields that the run was permitted, now that it is written. */
  #recordRepair(ctx: SyncContext, id: string): void {
    const permitted = this.#permitted.get(ctx)
    this.#contested.recordRepair(id, permitted?.get(id) ?? [])
    permitted?.delete(id)
  }

  /** Writes the Event about contested fields once. Returns the time until they may be written. */
  #reportPause(ctx: SyncContext, { named, id, fields, messageFor }: Contested): ReconcileResult | undefined {
    const unreported = this.#contested.unreported(id, fields)
    if (unreported.length > 0) {
      const message = messageFor(unreported)
      this.#contested.recordMessage(id, unreported, message)
      ctx.logger.warn({ fields: unreported.slice(0, maxNames) }, message)
      ctx.events.warning(named, 'FieldContested', message)
    }
    const contest = this.#contested.find(id)
    if (!contest) return undefined
    const paused = { requeueAfterMs: Math.ceil(contest.resumeMs) }
    CopyContest.#pausesOf.set(ctx, [...(CopyContest.#pausesOf.get(ctx) ?? []), paused])
    return paused
  }
}

/** Identifies what is copied up to an original for the record of contested fields. */
const upId = (part: CopiedUp, virtual: KubeObject) => `${part} of ${formatKey(keyOf(virtual))}`
