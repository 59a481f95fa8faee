import { ApiError } from '../../sdk/engine/kube/error.js'
import { checkEscalation } from '../access/rbac/escalation.js'
import { type AdmissionSteps, withoutAdmission } from '../admission/admission-attributes.js'
import { admitWrite } from '../admission/admit-write.js'
import { formatTime } from '../base/clock.js'
import type { OpenObject } from '../base/object.js'
import type { ManagedFields } from '../fields/managed-fields.js'
import { zeroObject } from '../fields/zero-object.js'
import { setDefaults } from '../kinds/defaults/defaults.js'
import { chargeQuota } from '../plugins/quota/resource-quota.js'
import { mutateByPlugins } from '../plugins/run-plugins.js'
import { bodyFormat, parseObjectBody } from '../request/body.js'
import { alreadyExists, badRequest, failure, forbidden, invalid, notFound } from '../request/status.js'
import { hasStatus, objectKind, type ServedResource, storedForm } from '../resources/served-resource.js'
import { structOf } from '../schema/schema.js'
import { withoutEmpties } from '../schema/without-empties.js'
import { keyOfObject, type ResourceRequest, storageKey } from '../server/context.js'
import { Entry } from '../store/entry.js'
import { type FieldError, required } from '../validation/field-error.js'
import { validateFinalizerNames, validateMetadata } from '../validation/metadata.js'
import { checkSubdomainName } from '../validation/names.js'
import { mutateNew, validateFinal } from './admission-steps.js'
import { checkSize } from './check-size.js'
import { dropDuplicateOwners } from './duplicate-owners.js'
import { reportOf } from './report.js'
import { shapeObject } from './shape.js'
import { prepareToStore } from './stale-entry.js'
import { setManagedFields, trackCreate } from './track-managers.js'
import { writeOptions } from './write-options.js'

/** The maximum length of a `generateName` that leaves room for the generated suffix. */
const maxGeneratedPrefix = 58
/** The number of names that are tried, as of Kubernetes 1.31; https://kep.k8s.io/4420 */
const maxGeneratedNames = 8

/** Creates the object in the body. */
export async function create(request: ResourceRequest): Promise<Entry> {
  const { resource, query } = request
  // Only a create checks the format of its body before its options.
  bodyFormat(request)
  const { dryRun, fieldValidation } = writeOptions(query, 'CreateOptions')
  const body = await parseObjectBody(request, resource.kind)
  const shaped = shapeObject(body, resource, reportOf(request, fieldValidation))
  const object = storedForm(shaped, resource)
  dropDuplicateOwners(object.metadata, request.warnings)
  if (request.target.isBlankNamespace === true) throw missingNamespaceError(resource, object)
  // Only a create removes these; an object that an update or an apply creates may already be ending.
  delete object.metadata.deletionTimestamp
  delete object.metadata.deletionGracePeriodSeconds
  return admitWrite(createSteps(request, object, { dryRun }))
}

function missingNamespaceError(resource: ServedResource, { metadata }: OpenObject): ApiError {
  return invalid(objectKind(resource), metadata.name ?? '', [required('metadata.namespace', '')])
}

/** Options of {@link createObject}. */
export interface CreateOptions {
  readonly dryRun: boolean
  /** The managed fields, if known; default those of the request's manager. */
  readonly managed?: ManagedFields
}

/** Creates an object in its stored version without webhooks, for the server itself; the store owns it from then on. */
export function createObject(request: ResourceRequest, requested: OpenObject, options: CreateOptions): Entry {
  return withoutAdmission(createSteps(request, requested, options))
}

/** Creates an object in its stored version; the store owns it from then on. */
export function* createSteps(
  request: ResourceRequest,
  requested: OpenObject,
  { dryRun, managed: knownManagers }: CreateOptions,
): AdmissionSteps<Entry> {
  const { resource } = request
  checkNamespace(request, requested)
  checkNamespaceIsOpen(request, requested)
  const { object: mutated, managed } = yield* mutateNew(request, {
    object: requested,
    managed: knownManagers,
    dryRun,
  })
  checkNamespace(request, mutated)
  checkEscalation(request, mutated)
  fillMetadata(request, mutated)
  const { refusal } = resource.rules.create ?? {}
  if (refusal !== undefined) throw forbidden(resource, mutated.metadata.name ?? '', refusal)
  fillFields(request, mutated, managed)
  const object = asStored(mutated, resource)
  const { name = '' } = object.metadata
  const errors = createErrors(resource, object)
  if (errors.length > 0) throw invalid(objectKind(resource), name, errors)
  for (const warning of resource.rules.create?.warnings?.(object) ?? []) request.warnings.push(warning)
  yield* validateFinal(request, { operation: 'CREATE', object, dryRun })
  if (!dryRun) yield* prepareToStore(request, object)
  return storeNew(request, object, dryRun)
}

function storeNew(request: ResourceRequest, object: OpenObject, dryRun: boolean): Entry {
  const { server, resource } = request
  checkVersion(object, dryRun)
  const key = keyOfObject(object)
  const existing = server.store.collection(resource.storage).get(key)
  if (existing !== undefined) throw existsError(resource, existing, object)
  if (dryRun) return new Entry(key, object, 0)
  checkSize(request, key, object)
  chargeQuota({ request, operation: 'CREATE', object })
  return server.store.put(resource.storage, key, object)
}

/** Throws 500 for an object with a version; a zero, or a text that is not a number, counts as none. */
function checkVersion({ metadata }: OpenObject, dryRun: boolean): void {
  const { resourceVersion } = metadata
  // Most objects have none, and stay in the form that engines are fast with.
  if (resourceVersion === undefined || dryRun) return
  if (/^\d+$/.test(resourceVersion) && /[1-9]/.test(resourceVersion))
    throw failure(500, 'resourceVersion should not be set on objects to be created')
  delete metadata.resourceVersion
}

/** An object as a real server reads it back from its store; only built-in objects change. */
export function asStored(object: OpenObject, resource: ServedResource): OpenObject {
  const struct = structOf(resource)
  return struct === undefined || resource.conversion !== undefined ? object : withoutEmpties(object, struct)
}

function createErrors(resource: ServedResource, object: OpenObject): FieldError[] {
  const { metadata: { name = checkSubdomainName, isReportedLast = false } = {}, validate } = resource.rules
  const kindErrors = validate?.(object) ?? []
  if (isReportedLast && kindErrors.length > 0) return kindErrors
  return [...validateMetadata(object, name), ...finalizerErrors(resource, object), ...kindErrors]
}

/** The error for an existing object, with a note if it is still being deleted. */
function existsError(
  resource: ServedResource,
  { object: { metadata } }: Entry,
  { metadata: { generateName } }: OpenObject,
): ApiError {
  const name = metadata.name ?? ''
  const refusal = generateName ? generatedNameError(resource, name) : alreadyExists(resource, name)
  if (metadata.deletionTimestamp === undefined) return refusal
  return new ApiError({ ...refusal.status, message: `object is being deleted: ${refusal.status.message}` })
}

/** The error for a new object with a `generateName`, even if it also has a name of its own. */
function generatedNameError(resource: ServedResource, name: string): ApiError {
  const { status } = alreadyExists(resource, name)
  const message = `${status.message}, the server was not able to generate a unique name for the object`
  return new ApiError({ ...status, message, details: { ...status.details, retryAfterSeconds: 1 } })
}

/** The errors of finalizers without a prefix that are not Kubernetes' own, for kinds that check them. */
export function finalizerErrors({ custom, rules }: ServedResource, object: OpenObject): FieldError[] {
  return custom === undefined && rules.metadata?.checksFinalizers !== false
    ? validateFinalizerNames(object)
    : []
}

/** Sets the namespace of the URL. Throws 400 if the object has another one. */
export function checkNamespace({ resource, target }: ResourceRequest, { metadata }: OpenObject): void {
  if (!resource.namespaced) {
    delete metadata.namespace
    return
  }
  if ((metadata.namespace ?? target.namespace) !== target.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  metadata.namespace = target.namespace
}

function checkNamespaceIsOpen({ server, resource, target }: ResourceRequest, object: OpenObject): void {
  if (!resource.namespaced) return
  const { namespace } = target
  const namespaceEntry = server.store.collection('namespaces').get(namespace)
  if (namespaceEntry === undefined) throw notFound({ group: '', plural: 'namespaces' }, namespace)
  if (namespaceEntry.object.metadata.deletionTimestamp === undefined) return
  const name = object.metadata.name ?? ''
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`
  const refusal = forbidden(resource, name, why)
  const cause = { reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated` }
  Object.assign(refusal.status.details ?? {}, { causes: [{ ...cause, field: 'metadata.namespace' }] })
  throw refusal
}

function fillMetadata(request: ResourceRequest, { metadata }: OpenObject): void {
  const { server, resource } = request
  if (metadata.name === undefined && metadata.generateName !== undefined)
    metadata.name = generatedName(request, metadata.generateName)
  metadata.uid = server.identity.uid()
  metadata.creationTimestamp = formatTime(server.clock.date())
  const { generation } = resource.rules.metadata ?? {}
  if (generation && generation !== 'from zero') metadata.generation = 1
}

/** A name that no object has, if one of the first tries is such a name. */
function generatedName({ server, resource, target }: ResourceRequest, generateName: string): string {
  const prefix = generateName.slice(0, maxGeneratedPrefix)
  const objects = server.store.collection(resource.storage)
  const namespace = resource.namespaced ? target.namespace : ''
  let name = prefix + server.identity.nameSuffix()
  for (let tries = 1; tries < maxGeneratedNames && objects.get(storageKey(namespace, name)); tries++)
    name = prefix + server.identity.nameSuffix()
  return name
}

/** Resets the status of a new object: to Go's zero values for a built-in kind, to none for a custom resource. */
function resetStatus(object: OpenObject, resource: ServedResource): void {
  const { status } = storedForm(zeroObject(resource) as OpenObject, resource)
  if (status === undefined) delete object.status
  else object.status = status
}

function fillFields(request: ResourceRequest, object: OpenObject, managed: ManagedFields | undefined): void {
  const { server, resource } = request
  if (hasStatus(resource) && resource.rules.create?.allowsStatus !== true) resetStatus(object, resource)
  setDefaults(object, resource)
  resource.rules.setDefaults?.(object, server, { isApplied: managed !== undefined })
  if (managed === undefined) trackCreate(request, object)
  else setManagedFields(object, managed)
  mutateByPlugins({ request, operation: 'CREATE', object })
  const refusals = resource.rules.create?.prepare?.(object, server, request.user) ?? []
  if (refusals.length > 0) throw invalid(objectKind(resource), object.metadata.name ?? '', refusals)
  resource.rules.canonicalize?.(object)
}
