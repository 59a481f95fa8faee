import { jsonEqual } from '../../sdk/kube/json.js'
import { apiVersionOf } from '../../sdk/kube/resource.js'
import { checkEscalation } from '../access/rbac/escalation.js'
import { parseObjectBody } from '../body.js'
import { keyOfObject, type ResourceRequest, storageKey } from '../context.js'
import type { ManagedFields } from '../fields/managed-fields.js'
import { setDefaults } from '../kinds/defaults/defaults.js'
import type { KindRules, OpenObject } from '../kinds/kind-rules.js'
import { fieldAt, recordOf } from '../kinds/kind-rules.js'
import { NAMESPACE_FINALIZER } from '../kinds/namespace.js'
import { hasStatus, objectKind, type ServedResource, servedEntry, storedForm } from '../served-resource.js'
import { shapeObject } from '../shape.js'
import { badRequest, conflict, failure, invalid, modifiedConflict, notFound } from '../status.js'
import { Entry } from '../store/entry.js'
import { type FieldError, invalidValue } from '../validation/field-error.js'
import { validateDeletion, validateMetadata, validateMetadataUpdate } from '../validation/metadata.js'
import { subdomainName } from '../validation/names.js'
import { asStored, checkNamespace, createObject, finalizerErrors } from './create.js'
import { setManagedFields, trackChange } from './managing.js'
import { isPartOfSpec, mergeParts } from './merge-parts.js'
import { dropOwnerTwins } from './owner-twins.js'
import { reportOf } from './report.js'
import { writeOptions } from './write-options.js'

/** What a write came to. */
export interface Written {
  readonly entry: Entry
  readonly created: boolean
}

/** Replaces an object, or one of its parts, by the one in the body. */
export async function update(request: ResourceRequest): Promise<Written> {
  const { resource, query } = request
  const { dryRun, fieldValidation } = writeOptions(query, 'UpdateOptions')
  const body = await parseObjectBody(request, resource.kind)
  if (isOfOtherKind(body, resource)) checkThere(request, body)
  const next = storedForm(shapeObject(body, resource, reportOf(request, fieldValidation)), resource)
  dropOwnerTwins(next.metadata, request.warnings)
  checkAddress(request, next)
  const old = findEntry(request)
  if (old !== undefined) return { entry: replaceObject(request, { old, next, dryRun }), created: false }
  if (resource.rules.createOnUpdate !== true) throw notFound(resource, request.target.name)
  const { uid } = next.metadata
  if (uid) throw uidConflict(request, uid, '')
  if (!dryRun) delete next.metadata.resourceVersion
  return { entry: createObject(request, next, { dryRun }), created: true }
}

/** Of what is there it is told that its kind is wrong, and only custom resources can come to that. */
function isOfOtherKind(body: unknown, { custom, kind, ...resource }: ServedResource): boolean {
  const { kind: given, apiVersion } = recordOf(body)
  return custom !== undefined && Boolean(given) && given !== kind && apiVersion === apiVersionOf(resource)
}

function checkThere(request: ResourceRequest, body: unknown): void {
  const asked: OpenObject = { metadata: recordOf(recordOf(body).metadata) }
  checkAddress(request, asked)
  const old = findEntry(request)
  if (old === undefined) throw notFound(request.resource, request.target.name)
  checkPreconditions(request, asked, lastState(old, request.resource))
}

/** The entry a request names, if it is there. */
export function findEntry({ server, resource, target }: ResourceRequest): Entry | undefined {
  return server.store.collection(resource.storage).get(storageKey(target.namespace, target.name))
}

/** Throws 400 when the object is not the one the URL names. */
export function checkAddress(request: ResourceRequest, object: OpenObject): void {
  const { name = '' } = object.metadata
  const { target } = request
  if (name === '') {
    throw badRequest(
      `the name of the object (${target.name} based on URL) was undeterminable: name must be provided`,
    )
  }
  if (name !== target.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${target.name})`)
  }
  checkNamespace(request, object)
}

/** A replacement of one stored object. */
export interface Replacement {
  readonly old: Entry
  /** In the form it is stored in; owned by the store from then on. */
  readonly next: OpenObject
  readonly dryRun: boolean
  /** Who owns its fields from then on, where that is known; left out, whoever makes the request. */
  readonly managed?: ManagedFields
  /** The part of the object that is written, when it is not the one the URL names. */
  readonly subresource?: string
  /** Whether a UID that is not the object's is a mistake in a field and not a conflict, as in a patch. */
  readonly isPatch?: boolean
}

/** Writes the new state of an object by all the rules; an update that changes nothing writes nothing. */
export function replaceObject(request: ResourceRequest, replacement: Replacement): Entry {
  const { old, next: asked, dryRun } = replacement
  const { server, resource, target } = request
  const before = lastState(old, resource)
  const foreign = replacement.isPatch === true ? foreignUid(request, asked, before) : []
  if (foreign.length === 0) checkPreconditions(request, asked, before)
  checkEscalation(request, asked, before)
  const next = mergeWritten(request, replacement, before)
  const refusals = target.subresource === '' ? resource.rules.prepareUpdate?.(next, before, server) : []
  if (refusals !== undefined && refusals.length > 0)
    throw invalid(objectKind(resource), target.name, refusals)
  const ending = [...foreign, ...validateDeletion(next.metadata, before.metadata)]
  carryMetadata(next, before, resource)
  const errors = updateErrors(request, next, { before, ending })
  if (errors.length > 0) throw invalid(objectKind(resource), target.name, errors)
  resource.rules.admitUpdate?.({ next, old: before, subresource: target.subresource }, server)
  const { updateWarnings } = resource.rules
  if (target.subresource === '' && updateWarnings) request.warnings.push(...updateWarnings(next))
  return commit(request, { old, next, dryRun })
}

/** The status of a custom resource is taken without its metadata, so there the UID says nothing. */
function foreignUid(
  { resource, target }: ResourceRequest,
  { metadata }: OpenObject,
  before: OpenObject,
): FieldError[] {
  const { uid } = before.metadata
  if (!metadata.uid || metadata.uid === uid) return []
  const isIgnored = resource.custom !== undefined && target.subresource === 'status'
  if (!isIgnored) return [invalidValue('metadata.uid', metadata.uid, 'field is immutable')]
  if (uid !== undefined) metadata.uid = uid
  return []
}

/** What is there with what the write changes of it, and in its metadata who owns what. */
function mergeWritten(request: ResourceRequest, replacement: Replacement, before: OpenObject): OpenObject {
  const { server, resource, target } = request
  const { next: asked } = replacement
  const part = { resource, subresource: target.subresource }
  const isOfSpec = isPartOfSpec(part)
  if (isOfSpec) {
    // Whoever says more than the part takes owns it all the same: a real server notes it before it cuts that off.
    setDefaults(asked, resource)
    manage(request, asked, replacement)
  }
  const next = mergeParts(asked, before, part)
  setDefaults(next, resource)
  resource.rules.prepare?.(next, server)
  if (target.subresource === 'status') resource.rules.prepareStatus?.(next, before, server)
  if (hasStatus(resource) && target.subresource !== 'status') carryField(next, before, 'status')
  if (!isOfSpec) manage(request, next, replacement)
  return asStored(next, resource)
}

/** Custom resources are read by today's schema, and others as they are stored. */
function lastState(old: Entry, resource: ServedResource): OpenObject {
  const { object } = resource.custom === undefined ? old : servedEntry(old, resource)
  return object as OpenObject
}

function manage(request: ResourceRequest, next: OpenObject, replacement: Replacement): void {
  const { old, next: asked, managed, subresource } = replacement
  const before = old.object as OpenObject
  if (managed !== undefined) setManagedFields(next, managed)
  else trackChange(request, { before, next, given: asked.metadata.managedFields, subresource })
}

/** A real server looks at the metadata of an update up to four times, and tells of each time as a cause. */
function updateErrors(
  { resource, target }: ResourceRequest,
  next: OpenObject,
  { before, ending }: { readonly before: OpenObject; readonly ending: readonly FieldError[] },
): FieldError[] {
  const { rules } = resource
  const whole = validateMetadata(next, rules.name ?? subdomainName)
  const changes = validateMetadataUpdate(next.metadata, before.metadata, ending)
  const finalizers = finalizerErrors(resource, next)
  const own = rules.validate?.(next, before, target.subresource) ?? []
  const isStatus = target.subresource === 'status' && resource.custom === undefined
  const forbidden = isStatus ? [] : (rules.validateChange?.(next, before) ?? [])
  const looks = looksOf(rules, isStatus)
  const first = [...whole, ...changes]
  if (rules.metadataLast === true) {
    return [...first, ...own, ...(rules.validateChange === undefined ? [] : changes), ...forbidden]
  }
  if (rules.checksChangesLast === true && !isStatus) {
    return [...first, ...whole, ...finalizers, ...own, ...changes, ...finalizers, ...forbidden]
  }
  const isNew = looks === 'new' || looks === 'both'
  const again = isNew && !isStatus ? [...whole, ...finalizers] : []
  const isChange = looks === 'change' || looks === 'both'
  return [...first, ...(isChange ? [...changes, ...finalizers] : []), ...forbidden, ...again, ...own]
}

function looksOf({ metadataOnUpdate = 'both', metadataOnStatus }: KindRules, isStatus: boolean) {
  return isStatus ? (metadataOnStatus ?? metadataOnUpdate) : metadataOnUpdate
}

function checkPreconditions(request: ResourceRequest, asked: OpenObject, before: OpenObject): void {
  const { resource, target } = request
  const { uid, resourceVersion } = asked.metadata
  if (uid && uid !== before.metadata.uid) {
    throw uidConflict(request, uid, before.metadata.uid)
  }
  if (resourceVersion === undefined || resourceVersion === '0') {
    if (resource.rules.versionedUpdate !== true) return
    throw invalid({ group: resource.group, kind: resource.plural }, target.name, [
      invalidValue('metadata.resourceVersion', 0, 'must be specified for an update'),
    ])
  }
  if (!/^\d+$/.test(resourceVersion)) {
    throw failure(500, `strconv.ParseUint: parsing "${resourceVersion}": invalid syntax`)
  }
  if (resourceVersion !== before.metadata.resourceVersion) throw modifiedConflict(resource, target.name)
}

/** Where a real server keeps the objects of these, which it does not name after the resource. */
const STORAGE_PATHS: Readonly<Record<string, string>> = {
  endpoints: 'services/endpoints',
  'ingresses.networking.k8s.io': 'ingress',
  nodes: 'minions',
  replicationcontrollers: 'controllers',
  services: 'services/specs',
}

function uidConflict({ resource, target, query }: ResourceRequest, asked: string, found = '') {
  const root = query.has('dryRun') ? '' : '/registry'
  const usual = resource.custom === undefined ? resource.plural : `${resource.group}/${resource.plural}`
  const path = STORAGE_PATHS[resource.storage] ?? usual
  const key = `${root}/${path}/${storageKey(target.namespace, target.name)}`
  const why = `Precondition failed: UID in precondition: ${asked}, UID in object meta: ${found}`
  const error = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0`
  return conflict(resource, target.name, `${error}, AdditionalErrorMsg: ${why}`)
}

function carryField(next: OpenObject, before: OpenObject, field: string): void {
  if (before[field] === undefined) delete next[field]
  else next[field] = before[field]
}

/** Fields of the metadata that only the server sets. */
const SERVER_SET = [
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
] as const

function carryMetadata(next: OpenObject, before: OpenObject, resource: ServedResource): void {
  const carried = Object.fromEntries(SERVER_SET.map((field) => [field, before.metadata[field]]))
  Object.assign(next.metadata, carried)
  for (const field of SERVER_SET) if (next.metadata[field] === undefined) delete next.metadata[field]
  const { generation } = resource.rules
  const counted = generation && COUNTED_METADATA[String(generation)]
  const relabelled = counted && !jsonEqual(next.metadata[counted] ?? {}, before.metadata[counted] ?? {})
  if (
    generation &&
    generation !== 'constant' &&
    (relabelled || wishChanged(next, before, hasStatus(resource)))
  ) {
    next.metadata.generation = (before.metadata.generation ?? 0) + 1
  }
}

/** The part of the metadata whose changes count. */
const COUNTED_METADATA: Readonly<Record<string, 'labels' | 'annotations'>> = {
  'with labels': 'labels',
  'with annotations': 'annotations',
}

/** Whether anything beside the metadata, and the status where it is kept apart, differs. */
function wishChanged(next: OpenObject, before: OpenObject, ignoreStatus: boolean): boolean {
  const names = new Set([...Object.keys(next), ...Object.keys(before)])
  names.delete('metadata')
  if (ignoreStatus) names.delete('status')
  return [...names].some((name) => !jsonEqual(next[name], before[name]))
}

function commit({ server, resource }: ResourceRequest, { old, next, dryRun }: Replacement): Entry {
  const key = keyOfObject(next)
  if (isFinished(next)) {
    if (!dryRun) server.store.remove(resource.storage, old)
    return new Entry(key, next, old.revision)
  }
  if (jsonEqual(next, old.object)) return old
  return dryRun ? new Entry(key, next, old.revision) : server.store.put(resource.storage, key, next)
}

/** Whether a deleted object has nothing left that holds it back. */
function isFinished(object: OpenObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds !== 0) return false
  const held = fieldAt(object, 'spec', 'finalizers')
  const holdsNamespace = Array.isArray(held) && held.includes(NAMESPACE_FINALIZER)
  return finalizers.length === 0 && !holdsNamespace
}
