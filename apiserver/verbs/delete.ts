import { jsonEqual } from '../../sdk/engine/kube/json.js'
import { type AdmissionSteps, withoutAdmission } from '../admission/admission-attributes.js'
import { admitWrite } from '../admission/admit-write.js'
import { formatTime } from '../base/clock.js'
import { fieldAt, type OpenObject, recordOf } from '../base/object.js'
import type { Page } from '../output/page.js'
import { badRequest, conflict, failure, forbidden, notFound } from '../request/status.js'
import { objectKind, type ServedResource } from '../resources/served-resource.js'
import type { ResourceRequest } from '../server/context.js'
import { Entry } from '../store/entry.js'
import { admitDelete } from './admission-steps.js'
import { type DeleteOptions, deleteOptionsOf } from './delete-options.js'
import { markOf } from './deletion-mark.js'
import { gracePeriodOf, isEnding } from './grace-period.js'
import { list } from './list.js'
import { listQueryOf } from './list-query.js'
import { prepareToStore, whileStale } from './stale-entry.js'
import { findEntry, namespaceRequired } from './update.js'

/** The result of a delete. */
export interface DeleteResult {
  readonly entry: Entry
  /** False if finalizers or a grace period keep the object. */
  readonly gone: boolean
}

const permanentNamespaces = ['default', 'kube-system', 'kube-public']

/** Deletes the object of a request. */
export async function remove(request: ResourceRequest): Promise<DeleteResult> {
  const options = await deleteOptionsOf(request)
  warnOfOrphans(request, options)
  return whileStale(async () => {
    const entry = findEntry(request)
    if (entry === undefined) throw notFound(request.resource, request.target.name)
    return admitWrite(deleteSteps(request, entry, options))
  })
}

/** Deletes every object of a collection that the selectors match, and returns these objects. */
export async function removeCollection(request: ResourceRequest): Promise<Page> {
  // The selectors are parsed before the delete options.
  const chosen = listQueryOf(request, 'list')
  const options = await deleteOptionsOf(request)
  warnOfOrphans(request, options)
  // A delete sees the present objects, even if a fault rule makes reads stale.
  const page = list({ ...request, reads: request.server.store }, chosen)
  // A real server lists all namespaces and fails with the first object.
  if (request.target.isBlankNamespace && page.entries.length > 0) throw badRequest(namespaceRequired)
  for (const { key } of page.entries) await removeOne(request, key, options)
  return page
}

/** Deletes one object of a collection, unless it was deleted meanwhile. */
function removeOne(request: ResourceRequest, key: string, options: DeleteOptions): Promise<void> {
  return whileStale(async () => {
    const entry = request.server.store.collection(request.resource.storage).get(key)
    if (entry !== undefined) await admitWrite(deleteSteps(request, entry, options))
  })
}

function warnOfOrphans({ resource, warnings }: ResourceRequest, { isPropagationGiven }: DeleteOptions): void {
  const { warning } = resource.rules.delete?.orphans ?? {}
  if (warning !== undefined && isPropagationGiven !== true) warnings.push(warning)
}

/** Deletes one object: checks preconditions, finalizers and the grace period. */
function* deleteSteps(
  request: ResourceRequest,
  entry: Entry,
  options: DeleteOptions,
): AdmissionSteps<DeleteResult> {
  const { server, resource } = request
  const object = entry.object as OpenObject
  checkPreconditions(resource, object, options)
  checkPermanent(resource, object)
  const begun = resource.rules.delete?.begin?.(object, formatTime(server.clock.date()))
  const isPending = isEnding(resource, object, options) || isEmptying(resource, object)
  if (begun === undefined && isPending) return { entry, gone: false }
  yield* admitDelete(request, entry, options)
  if (begun !== undefined)
    return { entry: yield* keepSteps(request, { entry, next: begun, options }), gone: false }
  const grace = gracePeriodOf(resource, object, options)
  const finalizers = finalizersFor(object, propagationOf(request, object, options))
  if (finalizers.length === 0 && !isHeldNamespace(resource, object) && (grace ?? 0) === 0) {
    return yield* removeSteps(request, { entry, grace, options })
  }
  if (isAlreadyMarked(object, finalizers, grace ?? 0)) return { entry, gone: false }
  const next = markDeleted(request, object, { finalizers, grace })
  return { entry: yield* keepSteps(request, { entry, next, options }), gone: false }
}

/** Deletes one object without webhooks, for the server itself. */
export function deleteEntry(request: ResourceRequest, entry: Entry, options: DeleteOptions): DeleteResult {
  return withoutAdmission(deleteSteps(request, entry, options))
}

interface Removal {
  readonly entry: Entry
  /** The grace period in seconds, for a kind with graceful deletion. The object is marked first, even if it is 0. */
  readonly grace: number | undefined
  readonly options: DeleteOptions
}

function* removeSteps(
  request: ResourceRequest,
  { entry, grace, options }: Removal,
): AdmissionSteps<DeleteResult> {
  const { server, resource } = request
  const object = entry.object as OpenObject
  const last = grace === undefined ? object : markDeleted(request, object, { finalizers: [], grace })
  if (options.dryRun) return { entry: new Entry(entry.key, last, entry.revision, entry.version), gone: true }
  if (grace !== undefined) yield* prepareToStore(request, last, entry)
  const latest = grace === undefined ? entry : server.store.put(resource.storage, entry.key, last)
  return { entry: server.store.remove(resource.storage, latest), gone: true }
}

/** Whether a namespace is being emptied. Only its finalizers end that. */
function isEmptying(resource: ServedResource, object: OpenObject): boolean {
  return isHeldNamespace(resource, object) && object.metadata.deletionTimestamp !== undefined
}

interface DeferredDeletion {
  readonly entry: Entry
  readonly next: OpenObject
  readonly options: DeleteOptions
}

function* keepSteps(
  request: ResourceRequest,
  { entry, next, options }: DeferredDeletion,
): AdmissionSteps<Entry> {
  const { server, resource } = request
  if (options.dryRun) return new Entry(entry.key, next, entry.revision, entry.version)
  yield* prepareToStore(request, next, entry)
  return server.store.put(resource.storage, entry.key, next)
}

/** Throws 409 if an object is not the one that the options name. */
export function checkPreconditions(
  resource: ServedResource,
  { metadata }: OpenObject,
  options: DeleteOptions,
): void {
  const { uid = metadata.uid, resourceVersion = metadata.resourceVersion } = options
  if (resource.storage === 'namespaces' && uid !== metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`
    throw conflict(resource, metadata.name ?? '', why)
  }
  if (resource.storage === 'namespaces' && resourceVersion !== metadata.resourceVersion) {
    const stored = metadata.resourceVersion
    const why = `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${stored}`
    throw conflict(resource, metadata.name ?? '', why)
  }
  if (uid !== metadata.uid) {
    throw preconditionFailedError(
      resource,
      metadata.name ?? '',
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    )
  }
  if (resourceVersion !== metadata.resourceVersion) {
    throw preconditionFailedError(
      resource,
      metadata.name ?? '',
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    )
  }
}

/** The real server names the kind in this error, not the resource. */
function preconditionFailedError(resource: ServedResource, name: string, why: string) {
  const { group, kind } = objectKind(resource)
  const qualified = group === '' ? kind : `${kind}.${group}`
  const details = group === '' ? { name, kind } : { name, group, kind }
  const message = `Operation cannot be fulfilled on ${qualified} "${name}": ${why}`
  return failure(409, message, { reason: 'Conflict', details })
}

function checkPermanent(resource: ServedResource, { metadata }: OpenObject): void {
  if (resource.storage !== 'namespaces' || !permanentNamespaces.includes(metadata.name ?? '')) return
  throw forbidden(resource, metadata.name ?? '', 'this namespace may not be deleted')
}

function isHeldNamespace(resource: ServedResource, object: OpenObject): boolean {
  const names = fieldAt(object, 'spec', 'finalizers')
  return resource.storage === 'namespaces' && Array.isArray(names) && names.length > 0
}

/** The default policy: the finalizers decide, then the kind. */
function propagationOf(
  { resource }: ResourceRequest,
  { metadata: { finalizers = [] } }: OpenObject,
  { propagation }: DeleteOptions,
): DeleteOptions['propagation'] {
  const { orphans, hasDependents = true } = resource.rules.delete ?? {}
  if (!hasDependents) return 'Background'
  const isDecided = finalizers.includes('orphan') || finalizers.includes('foregroundDeletion')
  if (propagation !== undefined || orphans === undefined) return propagation
  return isDecided ? undefined : 'Orphan'
}

/** The finalizers with those that make the garbage collector follow the policy. */
function finalizersFor({ metadata }: OpenObject, policy: DeleteOptions['propagation']): readonly string[] {
  const names = metadata.finalizers ?? []
  if (policy === undefined) return names
  const others = names.filter((finalizer) => finalizer !== 'orphan' && finalizer !== 'foregroundDeletion')
  if (policy === 'Orphan') return [...others, 'orphan']
  return policy === 'Foreground' ? [...others, 'foregroundDeletion'] : others
}

function isAlreadyMarked({ metadata }: OpenObject, finalizers: readonly string[], grace: number): boolean {
  if (metadata.deletionTimestamp === undefined) return false
  return (
    jsonEqual(finalizers, metadata.finalizers ?? []) && (metadata.deletionGracePeriodSeconds ?? 0) <= grace
  )
}

function withFinalizers(object: OpenObject, finalizers: readonly string[]): OpenObject {
  const { finalizers: _before, ...metadata } = object.metadata
  return {
    ...object,
    metadata: finalizers.length === 0 ? metadata : { ...metadata, finalizers: [...finalizers] },
  }
}

interface PendingDeletion {
  readonly finalizers: readonly string[]
  readonly grace: number | undefined
}

/** A copy of the object with a deletion timestamp. */
function markDeleted(
  { server, resource }: ResourceRequest,
  object: OpenObject,
  { finalizers, grace }: PendingDeletion,
): OpenObject {
  const { deletionTimestamp, deletionGracePeriodSeconds } = markOf(object, grace, server.clock.date())
  const metadata = { ...object.metadata, deletionTimestamp }
  const isFirst = object.metadata.deletionTimestamp === undefined
  if (metadata.generation !== undefined && isFirst) metadata.generation += 1
  const next = withFinalizers({ ...object, metadata }, finalizers)
  if (resource.storage !== 'namespaces') {
    next.metadata.deletionGracePeriodSeconds = deletionGracePeriodSeconds
    return next
  }
  return { ...next, status: { ...recordOf(object.status), phase: 'Terminating' } }
}
