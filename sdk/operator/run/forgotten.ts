import partition from 'lodash/partition.js'
import type { Cluster } from '../../engine/cluster/cluster.js'
import type { ReconcileResult } from '../../engine/controller/reconcile-result.js'
import { withJitter } from '../../engine/time/jitter.js'
import type { ForgottenKinds } from '../prune/forgotten-kinds.js'
import { confirmMs } from '../prune/missing-kinds.js'
import { type NotedKind, ownedKindsAnnotation, parseNote } from '../prune/owned-kinds.js'
import type { PrimaryObject } from './primary-object.js'

/** A primary, and the kinds that earlier releases of its controller owned. */
export interface ForgottenOptions {
  primary: PrimaryObject
  kinds: ForgottenKinds
  /** The clusters of the program, bound to the run. */
  clusters: ReadonlyMap<string, Cluster>
}

/** The time until a deletion lists the remaining objects again, which no watch shows, in milliseconds. */
const recheckMs = 5_000

/** The number of kinds that one run lists: users can name any number of kinds. */
const maxKinds = 32

/** Deletes the objects of a primary whose kinds its controller does not own any more. */
export async function pruneForgotten(options: ForgottenOptions): Promise<void> {
  const { primary, kinds, clusters } = options
  const done: NotedKind[] = []
  let listed = 0
  // Kinds that are not listed take no place: they keep their notes, and would hold up the others.
  for (const note of kinds.selectUndeclared(primary.noted).filter((one) => !kinds.isRefused(one))) {
    const removed = await kinds.remove({ owner: primary.owner, note, clusters })
    if (typeof removed === 'number') done.push(note)
    if (removed !== 'not served' && ++listed === maxKinds) break
  }
  if (done.length > 0) await primary.dropNotes(done)
}

/**
 * Deletes the objects of forgotten kinds that have no owner reference, because the garbage collector does not. Returns
 * when to check again, if objects may still be there.
 *
 * @throws if the operator may not list or delete these objects: they would stay forever
 */
export async function finalizeForgotten(options: ForgottenOptions): Promise<ReconcileResult | undefined> {
  const { primary, kinds, clusters } = options
  const [unreferenced, elsewhere] = unreferencedNotes(options)
  for (const note of elsewhere) kinds.reportUnknownCluster({ owner: primary.owner, note })
  const done: NotedKind[] = []
  let unconfirmed = 0
  for (const note of unreferenced.slice(0, maxKinds)) {
    const removed = await kinds.removeLast({ owner: primary.owner, note, clusters })
    if (removed === 'forbidden') throw forbiddenError(note, primary)
    if (removed === 'unconfirmed') unconfirmed++
    else if (removed === 0 || removed === 'not served') done.push(note)
  }
  if (done.length === unreferenced.length) return undefined
  // Makes room for the notes that this run did not handle.
  if (done.length > 0 && unreferenced.length > maxKinds) await primary.dropNotes(done)
  const isOnlyUnconfirmed = unconfirmed === Math.min(unreferenced.length - done.length, maxKinds)
  return { requeueAfterMs: isOnlyUnconfirmed ? confirmMs + withJitter(1000) : withJitter(recheckMs) }
}

/** The notes of objects without an owner reference: those in clusters of the program, and those in unknown clusters. */
function unreferencedNotes({ primary, kinds, clusters }: ForgottenOptions): [NotedKind[], NotedKind[]] {
  const isUnreferenced = (note: NotedKind) => parseNote(note).cluster !== undefined
  const notes = kinds.selectUndeclared(primary.noted).filter(isUnreferenced)
  return partition(notes, (note) => clusters.has(parseNote(note).cluster ?? ''))
}

function forbiddenError(note: NotedKind, { owner }: PrimaryObject): Error {
  return new Error(
    `objects of ${note}, which an earlier release owned, may be left: allow the operator to list and delete them, or take the ` +
      `kind out of the annotation ${ownedKindsAnnotation(owner.resource)} to leave them`,
  )
}
