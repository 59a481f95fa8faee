import once from 'lodash/once.js'
import type { ReconcileResult } from '../../../engine/controller/reconcile-result.js'
import { isNotFound } from '../../../engine/kube/error.js'
import { jsonEqual } from '../../../engine/kube/json.js'
import { keyOf } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { SyncContext } from '../../context/sync-context.js'
import { lastSyncedAnnotation } from '../../naming/ownership-keys.js'
import { storedHost } from '../../ownership/host-objects.js'
import { withoutStatus } from '../../ownership/translate-fields.js'
import { reportFailure, updateCopy } from '../../ownership/write-copy.js'
import { changesOnlyOwnership } from '../contest/changed-fields.js'
import type { CopyContest } from '../contest/copy-contest.js'
import type { DriftMetrics } from '../fields/drift-metrics.js'
import { fieldAt, withFieldsKept } from '../fields/field-paths.js'
import type { PlainPair, Syncer } from '../syncer.js'
import { type Decision, decide, type FieldOfBoth, leavesOf, type Sides } from './decide.js'
import { type HeldFields, holdContested } from './held-fields.js'
import type { MergeBothOptions } from './merge-both.js'
import { oldValue, type RememberedField, type RememberedFields, valuesAt } from './remembered.js'
import { reportConflicts } from './report-conflicts.js'
import { hasChanged, type RecordedFields } from './sync-state.js'

/** The members of a translator that {@link syncBoth} needs. */
export interface SyncBothSyncer<T extends KubeObject> extends Syncer<T> {
  translateMetadata(virtual: T): T
  translateUpdate(host: T, virtual: T): T | undefined
  virtualReferences(ctx: SyncContext, pair: PlainPair<T>): Promise<T>
}

/** Options of {@link syncBoth}. */
export interface SyncBothOptions<T extends KubeObject> extends MergeBothOptions {
  remembered: RememberedFields<T>
  driftMetrics: DriftMetrics
  contest: CopyContest
}

/**
 * Copies a change of one side to the other side. A change to the copy is one write, which also records the new state of
 * both. A change to the original is announced on the copy first: if a crash or another change comes between the writes,
 * the next run knows whether the virtual object has the value, and does not mistake it for a change of the virtual
 * side. Fields that programs of both sides contest are left as they are for some time; the others are copied.
 */
export async function syncBoth<T extends KubeObject>(
  syncer: SyncBothSyncer<T>,
  ctx: SyncContext,
  pair: PlainPair<T>,
  options: SyncBothOptions<T>,
): Promise<ReconcileResult | undefined> {
  const { remembered, contest } = options
  const decided = decisionsOn(syncer, pair, options)
  const content = () => remembered.contentOf(pair)
  const { decisions, held } = holdContested(ctx, { pair, contest, decisions: decided, content })
  reportConflicts(syncer, ctx, decisions)
  const virtual = await withHostChanges(syncer, ctx, { pair, remembered, decisions })
  const host = copyOf(syncer, { pair, virtual: remembered.withHeldMetadata(virtual, held), decisions })
  if (virtual === pair.virtual) return writeOnlyCopy(syncer, ctx, { host, held, options })
  const hostWins = new Set(decisions.filter(({ winner }) => winner === 'host').map(({ id }) => id))
  const announced = remembered.withComingState({ host, virtual }, held, hostWins)
  const outcome =
    contest.pause(ctx, { copy: pair.host, wanted: announced, announces: true }) ??
    (await announceOnCopy(syncer, ctx, pair, announced))
  if (outcome) return outcome
  const written = await writeOriginal(syncer, ctx, virtual)
  if (!written) return undefined
  const recorded = remembered.withSyncedState({ host: announced, virtual: written }, held)
  const copy = await recordState(syncer, ctx, recorded)
  if (copy) contest.recordExchange(copy, remembered.contentOf({ host: copy, virtual: written }))
  return undefined
}

/** Ends a sync in which the original does not change: writes the copy, if it differs from the wanted copy. */
async function writeOnlyCopy<T extends KubeObject>(
  syncer: SyncBothSyncer<T>,
  ctx: SyncContext,
  { host, held, options }: { host: T; held: HeldFields<T>; options: SyncBothOptions<T> },
): Promise<ReconcileResult | undefined> {
  const { remembered, driftMetrics, contest } = options
  const { before: pair, paths } = held
  const { virtual } = pair
  const stamped = remembered.withSyncedState({ host, virtual }, held)
  // While fields are held, a write of ownership keys alone would only provoke admission again.
  if (paths.length > 0 && changesOnlyOwnership(pair.host, stamped)) return undefined
  if (jsonEqual(stamped, pair.host)) return driftMetrics.recordNoop(virtual, pair.host)
  const paused = contest.pause(ctx, { copy: pair.host, wanted: stamped })
  if (paused) return paused
  const outcome = await updateCopy(syncer, ctx, { host: stamped, virtual })
  const written = storedHost(syncer, ctx, keyOf(pair.host))
  contest.recordWrite(ctx, written)
  if (written && paths.length > 0)
    contest.recordExchange(written, remembered.contentOf({ host: written, virtual }))
  const after = syncer.runsAfterOwnWrites ? undefined : written
  driftMetrics.recordWrite(virtual, { before: pair.host, after })
  return outcome
}

/** The new copy: the original's fields, except those that the host has changed or keeps, or that are contested. */
function copyOf<T extends KubeObject>(
  syncer: SyncBothSyncer<T>,
  { pair, virtual, decisions }: { pair: PlainPair<T>; virtual: T; decisions: readonly Decision[] },
): T {
  const updated = syncer.translateUpdate(pair.host, virtual) ?? pair.host
  const kept = decisions.filter(({ winner, path }) => winner !== 'virtual' && isContent(path))
  return withFieldsKept(
    updated,
    kept.map(({ path }) => ({ names: path })),
    pair.host,
  )
}

/** Writes the copy with the announced state of both objects, before the original is written. */
async function announceOnCopy<T extends KubeObject>(
  syncer: SyncBothSyncer<T>,
  ctx: SyncContext,
  { host, virtual }: PlainPair<T>,
  updated: T,
): Promise<ReconcileResult | undefined> {
  return jsonEqual(updated, host) ? undefined : updateCopy(syncer, ctx, { host: updated, virtual })
}

/** Writes the original; `undefined` if it was deleted meanwhile. */
async function writeOriginal<T extends KubeObject>(
  syncer: SyncBothSyncer<T>,
  ctx: SyncContext,
  virtual: T,
): Promise<T | undefined> {
  ctx.logger.debug({}, 'bringing up what was changed on the host')
  try {
    return await ctx.virtual.client.update(syncer.resource, virtual, { signal: ctx.signal })
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw reportFailure(syncer, ctx, { virtual, error, to: 'virtual' })
  }
}

/**
 * Records the state of both objects on the copy. The record stays true even if the copy has changed meanwhile, so the
 * patch has no resourceVersion. It has the UID, so that it cannot change another object. Returns the copy; `undefined`
 * if it was deleted.
 */
async function recordState<T extends KubeObject>(
  { resource }: SyncBothSyncer<T>,
  ctx: SyncContext,
  copy: T,
): Promise<T | undefined> {
  const { uid, annotations } = copy.metadata
  const state = annotations?.[lastSyncedAnnotation] ?? null
  const body = { metadata: { uid, annotations: { [lastSyncedAnnotation]: state } } }
  try {
    return await ctx.host.client.patch(resource, keyOf(copy), { type: 'merge', body, signal: ctx.signal })
  } catch (error) {
    if (!isNotFound(error)) throw error
    return undefined
  }
}

/** Decides for each remembered field, or each part of it, which side wins. */
function decisionsOn<T extends KubeObject>(
  syncer: SyncBothSyncer<T>,
  pair: PlainPair<T>,
  { remembered, onConflict = 'virtual', merge = false }: SyncBothOptions<T>,
): Decision[] {
  const views = remembered.toComparable(pair)
  const state = remembered.stateOf(pair.host)
  const translated = once(() => syncer.translateMetadata(pair.virtual))
  const isAlike = ({ path, now }: FieldOfBoth) =>
    jsonEqual(now.virtual, now.host) ||
    // A reference has different values on both sides, because names are translated.
    (isContent(path) && jsonEqual(fieldAt(translated(), path), now.host))
  return remembered
    .fieldsOf(views, state)
    .flatMap((field) => [
      ...leavesOfField(field, { remembered, views, state, merges: merge || !isContent(field.path) }),
    ])
    .map((leaf) => decide(leaf, onConflict, isAlike))
}

/** The input of {@link leavesOfField}. */
interface LeafInput<T extends KubeObject> {
  remembered: RememberedFields<T>
  /** Both objects as `RememberedFields.toComparable` returns them. */
  views: Sides
  state: RecordedFields | undefined
  merges: boolean
}

/** The parts of a remembered field that are decided separately; one part if only digests are recorded. */
function leavesOfField<T extends KubeObject>(
  field: RememberedField,
  { remembered, views, state, merges }: LeafInput<T>,
): Iterable<FieldOfBoth> {
  const { id, path } = field
  const now = valuesAt(views, path)
  const record = remembered.recordOf(field, now, state)
  if (!record) return [{ id, path, now }]
  const old = { virtual: oldValue(record.virtual, now), host: oldValue(record.host, now) }
  if (old.virtual && old.host)
    return leavesOf({ id, path, now, old: { virtual: old.virtual.value, host: old.host.value } }, merges)
  // A digest shows that the value has changed, but not the old value.
  const changed = {
    virtual: hasChanged(record.virtual, now.virtual),
    host: hasChanged(record.host, now.host),
  }
  return [{ id, path, now, changed }]
}

const isContent = (path: readonly string[]) => path[0] !== 'metadata'

/** The input of {@link withHostChanges}. */
interface HostChanges<T extends KubeObject> {
  pair: PlainPair<T>
  remembered: RememberedFields<T>
  decisions: readonly Decision[]
}

/** The virtual object with the changes of the host that count; the same object if there are none. */
async function withHostChanges<T extends KubeObject>(
  syncer: SyncBothSyncer<T>,
  ctx: SyncContext,
  { pair, remembered, decisions }: HostChanges<T>,
): Promise<T> {
  const { host, virtual } = pair
  const paths = decisions.filter(({ winner }) => winner === 'host').map(({ path }) => path)
  if (paths.length === 0) return virtual
  // The status of the copy is not copied here, so the names in it are not looked up.
  const content = { host: withoutStatus(host), virtual }
  const source = paths.some(isContent) ? await syncer.virtualReferences(ctx, content) : host
  const hostWins = paths.map((names) => ({ names }))
  const updated = withFieldsKept(virtual, hostWins, remembered.toComparable({ host: source, virtual }).host)
  return jsonEqual(updated, virtual) ? virtual : updated
}
