import { apiVersionOf } from '../../sdk/engine/kube/resource.js'
import { checkEscalation } from '../access/rbac/escalation.js'
import { type AdmissionSteps, withoutAdmission } from '../admission/admission-attributes.js'
import { admitWrite } from '../admission/admit-write.js'
import { type OpenObject, recordOf } from '../base/object.js'
import type { ManagedFields } from '../fields/managed-fields.js'
import { setDefaults } from '../kinds/defaults/defaults.js'
import { chargeQuota } from '../plugins/quota/resource-quota.js'
import { parseObjectBody } from '../request/body.js'
import { badRequest, invalid, notFound } from '../request/status.js'
import type { KindRules, MetadataValidation } from '../resources/kind-rules.js'
import {
  hasStatus,
  objectKind,
  type ServedResource,
  servedEntry,
  storedForm,
} from '../resources/served-resource.js'
import { keyOfObject, type ResourceRequest, storageKey } from '../server/context.js'
import { Entry } from '../store/entry.js'
import { type FieldError, invalidValue } from '../validation/field-error.js'
import { validateDeletion, validateMetadata, validateMetadataUpdate } from '../validation/metadata.js'
import { checkSubdomainName } from '../validation/names.js'
import { mutateChange, validateFinal } from './admission-steps.js'
import { carryField, carryMetadata } from './carry-metadata.js'
import { checkSize } from './check-size.js'
import { asStored, checkNamespace, createSteps, finalizerErrors } from './create.js'
import { dropDuplicateOwners } from './duplicate-owners.js'
import { isFinished } from './is-finished.js'
import { isUnchanged } from './is-unchanged.js'
import { isOfStatus, isPartOfSpec, mergeParts } from './merge-parts.js'
import { checkPreconditions, uidConflictError } from './preconditions.js'
import { reportOf } from './report.js'
import { shapeObject } from './shape.js'
import { prepareToStore, whileStale } from './stale-entry.js'
import { setManagedFields, trackChange } from './track-managers.js'
import { writeOptions } from './write-options.js'

/** The error for an object in an empty namespace. */
export const namespaceRequired = 'Namespace parameter required.'

/** The result of a write. */
export interface WriteResult {
  readonly entry: Entry
  readonly created: boolean
}

/** Replaces an object, or one of its parts, by the one in the body. */
export async function update(request: ResourceRequest): Promise<WriteResult> {
  const { resource, query } = request
  const { dryRun, fieldValidation } = writeOptions(query, 'UpdateOptions')
  const body = await parseObjectBody(request, resource.kind)
  if (isOfOtherKind(body, resource)) checkReplacesExisting(request, body)
  const next = storedForm(shapeObject(body, resource, reportOf(request, fieldValidation)), resource)
  dropDuplicateOwners(next.metadata, request.warnings)
  checkAddress(request, next)
  if (request.target.isBlankNamespace === true) throw badRequest(namespaceRequired)
  return whileStale(() => write(request, next, dryRun))
}

async function write(request: ResourceRequest, next: OpenObject, dryRun: boolean): Promise<WriteResult> {
  const { resource } = request
  const old = findEntry(request)
  if (old !== undefined) {
    return { entry: await admitWrite(replaceSteps(request, { old, next, dryRun })), created: false }
  }
  if (resource.rules.update?.allowsCreate !== true) throw notFound(resource, request.target.name)
  const { uid } = next.metadata
  if (uid) throw uidConflictError(request, uid, '')
  if (!dryRun) delete next.metadata.resourceVersion
  return { entry: await admitWrite(createSteps(request, next, { dryRun })), created: true }
}

/** Whether a body for a custom resource names another kind of the same API version. */
function isOfOtherKind(body: unknown, { custom, kind, ...resource }: ServedResource): boolean {
  const { kind: ofBody, apiVersion } = recordOf(body)
  return custom !== undefined && Boolean(ofBody) && ofBody !== kind && apiVersion === apiVersionOf(resource)
}

/** Checks the name, the existence and the preconditions, for a body of another kind. */
function checkReplacesExisting(request: ResourceRequest, body: unknown): void {
  const requested: OpenObject = { metadata: recordOf(recordOf(body).metadata) }
  checkAddress(request, requested)
  const old = findEntry(request)
  if (old === undefined) throw notFound(request.resource, request.target.name)
  checkPreconditions(request, requested, lastState(old, request.resource))
}

/** The entry of a request, if it exists. */
export function findEntry({ server, resource, target }: ResourceRequest): Entry | undefined {
  return server.store.collection(resource.storage).get(storageKey(target.namespace, target.name))
}

/** Throws 400 if the object is not the one in the URL. */
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
  /** In the stored version; the store owns it from then on. */
  readonly next: OpenObject
  readonly dryRun: boolean
  /** The managed fields, if known; default those of the request's manager. */
  readonly managed?: ManagedFields
  /** The part of the object that is written, if it is not the one in the URL. */
  readonly subresource?: string
  /** Whether another UID is an invalid field instead of a conflict, as in a patch. */
  readonly isPatch?: boolean
}

/** Replaces an object by all rules without webhooks, for the server itself. */
export function replaceObject(request: ResourceRequest, replacement: Replacement): Entry {
  return withoutAdmission(replaceSteps(request, replacement))
}

/** Writes the new state of an object by all the rules; an update that changes nothing writes nothing. */
export function* replaceSteps(request: ResourceRequest, input: Replacement): AdmissionSteps<Entry> {
  const { old, dryRun } = input
  const { object: requested, managed, isChanged = false } = yield* mutateChange(request, input)
  if (isChanged) checkAddress(request, requested)
  const replacement = { ...input, next: requested, ...(managed === undefined ? {} : { managed }) }
  const { server, resource, target } = request
  const before = lastState(old, resource)
  const uidProblems = replacement.isPatch === true ? uidErrors(request, requested, before) : []
  if (uidProblems.length === 0) checkPreconditions(request, requested, before)
  checkEscalation(request, requested, before)
  const next = mergeWritten(request, replacement, before)
  const refusals = target.subresource === '' ? resource.rules.update?.prepare?.(next, before, server) : []
  if (refusals !== undefined && refusals.length > 0)
    throw invalid(objectKind(resource), target.name, refusals)
  const deletionErrors = [...uidProblems, ...validateDeletion(next.metadata, before.metadata)]
  carryMetadata(next, before, { resource, subresource: target.subresource })
  resource.rules.canonicalize?.(next)
  const errors = updateErrors(request, next, { before, deletionErrors })
  if (errors.length > 0) throw invalid(objectKind(resource), target.name, errors)
  resource.rules.update?.admit?.({ next, old: before, subresource: target.subresource }, server)
  const warnings = target.subresource === '' ? resource.rules.update?.warnings?.(next, before) : undefined
  for (const warning of warnings ?? []) request.warnings.push(warning)
  yield* validateFinal(request, { operation: 'UPDATE', object: next, old, dryRun })
  return yield* commit(request, { old, next, dryRun })
}

/** Checks the UID of a patch. In the status of a custom resource another UID is replaced by the stored one. */
function uidErrors(
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

/** The existing object with the changes of the write, and with its managed fields. */
function mergeWritten(request: ResourceRequest, replacement: Replacement, before: OpenObject): OpenObject {
  const { server, resource, target } = request
  const { next: requested } = replacement
  const written = { resource, subresource: target.subresource }
  const isOfSpec = isPartOfSpec(written)
  if (isOfSpec) {
    // Fields outside the written part also get an owner, because a real server tracks them before it drops them.
    setDefaults(requested, resource)
    trackManagers(request, requested, replacement)
  }
  const next = mergeParts(requested, before, written)
  setDefaults(next, resource)
  resource.rules.setDefaults?.(next, server, { isApplied: replacement.managed !== undefined })
  if (target.subresource === 'status') resource.rules.status?.prepare?.(next, before, server)
  if (hasStatus(resource) && !isOfStatus(written)) carryField(next, before, 'status')
  if (!isOfSpec) trackManagers(request, next, replacement)
  if (isOfStatus(written)) resource.rules.status?.complete?.(next, before, server)
  return asStored(next, resource)
}

/** The old state: of a custom resource as its present schema reads it, of others as it is stored. */
function lastState(old: Entry, resource: ServedResource): OpenObject {
  const { object } = resource.custom === undefined ? old : servedEntry(old, resource)
  return object as OpenObject
}

function trackManagers(request: ResourceRequest, next: OpenObject, replacement: Replacement): void {
  const { old, next: requested, managed, subresource } = replacement
  const before = old.object as OpenObject
  if (managed !== undefined) setManagedFields(next, managed)
  else trackChange(request, { before, next, given: requested.metadata.managedFields, subresource })
}

/** A real server validates the metadata of an update up to four times, and reports each time as a cause. */
function updateErrors(
  { resource, target }: ResourceRequest,
  next: OpenObject,
  { before, deletionErrors }: { readonly before: OpenObject; readonly deletionErrors: readonly FieldError[] },
): FieldError[] {
  const { rules } = resource
  const metadata = validateMetadata(next, rules.metadata?.name ?? checkSubdomainName)
  const changes = validateMetadataUpdate(next.metadata, before.metadata, deletionErrors)
  const finalizers = finalizerErrors(resource, next)
  const specific = rules.validate?.(next, before, target.subresource) ?? []
  const isStatus = isOfStatus({ resource, subresource: target.subresource }) && resource.custom === undefined
  const forbidden = isStatus ? [] : (rules.update?.validate?.(next, before) ?? [])
  const repeated = repetitionOf(rules, isStatus)
  const first = [...metadata, ...changes]
  if (rules.metadata?.isReportedLast === true) {
    return [...first, ...specific, ...(rules.update?.validate === undefined ? [] : changes), ...forbidden]
  }
  if (rules.update?.validatesChangesLast === true && !isStatus) {
    return [...first, ...metadata, ...finalizers, ...specific, ...changes, ...finalizers, ...forbidden]
  }
  const isNew = repeated === 'new' || repeated === 'both'
  const again = isNew && !isStatus ? [...metadata, ...finalizers] : []
  const isChange = repeated === 'change' || repeated === 'both'
  return [...first, ...(isChange ? [...changes, ...finalizers] : []), ...forbidden, ...again, ...specific]
}

/** How a write repeats the validation of the metadata. */
function repetitionOf({ metadata = {} }: KindRules, isStatus: boolean): MetadataValidation {
  const { repeatedOnUpdate = 'both', repeatedOnStatus = repeatedOnUpdate } = metadata
  return isStatus ? repeatedOnStatus : repeatedOnUpdate
}

function* commit(request: ResourceRequest, { old, next, dryRun }: Replacement): AdmissionSteps<Entry> {
  const { server, resource } = request
  const key = keyOfObject(next)
  if (isFinished(next)) {
    if (!dryRun) server.store.remove(resource.storage, old)
    return new Entry(key, next, old.revision, old.version)
  }
  // An object in an old storage version is stored again even if nothing in it changes.
  if (isUnchanged(resource, next, old.object) && resource.custom?.isStale(key) !== true) return old
  if (dryRun) return new Entry(key, next, old.revision, old.version)
  yield* prepareToStore(request, next, old)
  checkSize(request, key, next)
  chargeQuota({ request, operation: 'UPDATE', object: next, old: old.object as OpenObject })
  return server.store.put(resource.storage, key, next)
}
