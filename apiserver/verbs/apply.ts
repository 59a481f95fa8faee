import { isJsonObject } from '../../sdk/engine/kube/json-object.js'
import { apiVersionOf } from '../../sdk/engine/kube/resource.js'
import { admitWrite } from '../admission/admit-write.js'
import { formatTime } from '../base/clock.js'
import { jsonTypeOf } from '../base/json-type.js'
import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import { applyFields } from '../fields/apply-fields.js'
import { applyConflictError } from '../fields/conflicts.js'
import { FieldSet, fieldSetOf } from '../fields/field-set.js'
import { type ManagedFields, readManagedFields } from '../fields/managed-fields.js'
import { resourceType } from '../fields/resource-type.js'
import { trackUpdate } from '../fields/track-update.js'
import { trackedType } from '../fields/tracked-type.js'
import { typeProblems } from '../fields/type-problems.js'
import { zeroObject } from '../fields/zero-object.js'
import { bodyText } from '../request/body.js'
import { isTrueParameter } from '../request/query.js'
import { badRequest, conflict, failure, notFound } from '../request/status.js'
import {
  hasStatus,
  keptStatusMetadata,
  type ServedResource,
  servedForm,
  storedForm,
  withKind,
} from '../resources/served-resource.js'
import type { ResourceRequest } from '../server/context.js'
import type { Entry } from '../store/entry.js'
import { type FieldValidation, noReport } from '../validation/field-report.js'
import { createSteps } from './create.js'
import { conflictsOf, refreshLastApplied } from './last-applied.js'
import { parseManifest } from './manifest.js'
import { readShape, ShapeProblem } from './shape.js'
import { whileStale } from './stale-entry.js'
import { changeOfApply, managerOf, setManagedFields } from './track-managers.js'
import { checkAddress, findEntry, replaceSteps, type WriteResult } from './update.js'
import type { WriteOptions } from './write-options.js'

type Members = Record<string, unknown>

/**
 * Server-side apply: creates the object of a request, or merges the body into it.
 * https://kubernetes.io/docs/reference/using-api/server-side-apply/
 */
export async function apply(
  request: ResourceRequest,
  { dryRun, fieldValidation }: WriteOptions,
): Promise<WriteResult> {
  const old = findEntry(request)
  if (old === undefined && !mayCreate(request)) throw notFound(request.resource, request.target.name)
  const desired = await readDesired(request, fieldValidation)
  return whileStale(() => write(request, desired, dryRun))
}

async function write(request: ResourceRequest, desired: Members, dryRun: boolean): Promise<WriteResult> {
  const old = findEntry(request)
  return old === undefined
    ? { entry: await applyNew(request, desired, dryRun), created: true }
    : { entry: await applyTo(request, { old, desired, dryRun }), created: false }
}

/** Whether an apply may create the object. Few kinds allow it for an apply to a subresource. */
function mayCreate({ resource, target }: ResourceRequest): boolean {
  return target.subresource === '' || resource.rules.status?.allowsCreate === true
}

async function readDesired(request: ResourceRequest, validation: FieldValidation): Promise<Members> {
  const desired = await parseDesired(request, validation)
  checkApplied(desired, request.resource)
  checkTypes(request, desired)
  return desired
}

/** Throws 400 for an object of another kind, or one with managed fields. */
export function checkApplied(desired: Members, resource: ServedResource): void {
  const { kind = '', apiVersion = '' } = desired
  if (kind !== resource.kind || apiVersion !== apiVersionOf(resource)) {
    const [version = '', group = ''] = String(apiVersion).split('/').reverse()
    throw badRequest(`invalid object type: ${group}/${version}, Kind=${String(kind ?? '')}`)
  }
  if (fieldAt(desired, 'metadata', 'managedFields') !== undefined) {
    throw badRequest('metadata.managedFields must be nil')
  }
}

async function parseDesired(request: ResourceRequest, validation: FieldValidation): Promise<Members> {
  const { value, repeated } = await parseManifest(bodyText(request.body))
  if (repeated.length > 0 && validation === 'Strict') {
    const problem = `yaml: unmarshal errors:\n  ${repeated.join('\n  ')}`
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${problem}`)
  }
  if (validation === 'Warn') for (const warning of repeated) request.warnings.push(warning)
  if (value === null || value === undefined) return {}
  if (isJsonObject(value)) return value
  const problem = `json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type map[string]interface {}`
  throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${problem}`)
}

/** Throws 500 for a field without a type in the schema, which cannot have an owner. */
function checkTypes({ resource }: ResourceRequest, desired: Members): void {
  const problems = typeProblems(desired, resourceType(resource))
  if (problems.length === 0) return
  const { group, version, kind } = resource
  const objectText = `${textAt(desired, 'metadata', 'namespace')}/${textAt(desired, 'metadata', 'name')}; ${group}/${version}, Kind=${kind}`
  const text = problems.length === 1 ? problems[0] : `errors:\n  ${problems.join('\n  ')}`
  throw failure(500, `failed to create typed patch object (${objectText}): ${text}`)
}

async function applyNew(request: ResourceRequest, desired: Members, dryRun: boolean): Promise<Entry> {
  const { resource, target } = request
  const { resourceVersion, ...rest } = recordOf(desired.metadata)
  const metadata = dryRun && resourceVersion !== undefined ? { ...rest, resourceVersion } : rest
  if (typeof metadata.uid === 'string') {
    const why = `uid mismatch: the provided object specified uid ${metadata.uid}, and no existing object was found`
    throw conflict(resource, target.name, why)
  }
  const live = withKind({ metadata: {} }, resource)
  const { object, managed } = merge(request, { live, desired, managed: new Map() })
  const next = storedForm(shapeApplied(request, { ...(object as Members), metadata }, desired), resource)
  checkAddress(request, next)
  return admitWrite(createSteps(request, next, { dryRun, managed }))
}

interface ApplyTarget {
  readonly old: Entry
  readonly desired: Members
  readonly dryRun: boolean
}

async function applyTo(request: ResourceRequest, { old, desired, dryRun }: ApplyTarget): Promise<Entry> {
  const { resource } = request
  const live = withKind(servedForm(old.object as OpenObject, resource), resource)
  const managed = knownOwners(request, old)
  const merged = merge(request, { live, desired, managed })
  const next = storedForm(shapeApplied(request, merged.object, desired), resource)
  refreshLastApplied(request, next, desired)
  checkAddress(request, next)
  setManagedFields(next, merged.managed)
  return admitWrite(replaceSteps(request, { old, next, dryRun, managed: merged.managed, isPatch: true }))
}

/** Throws 500, as the real server does, if the merged object is not valid for its kind. */
function shapeApplied({ resource, target }: ResourceRequest, merged: unknown, desired: Members): OpenObject {
  try {
    return readShape(merged, resource, noReport, true)
  } catch (error) {
    if (!(error instanceof ShapeProblem)) throw error
    const type = `${resource.group}/${resource.version}, Kind=${resource.kind}`
    const name = `${textAt(desired, 'metadata', 'namespace')}/${target.name}`
    const why = `unable to convert unstructured object to ${type}: ${error.message}`
    throw failure(500, `failed to convert new object (${name}; ${type}) to proper version: ${why}`)
  }
}

/** Before the first apply to an object without owners, its present fields get an owner. */
function knownOwners(request: ResourceRequest, { object }: Entry): ManagedFields {
  const managed = readManagedFields(object.metadata.managedFields)
  if (managed !== undefined && managed.size > 0) return managed
  const tracked = trackUpdate({
    type: trackedType(request.resource),
    live: zeroObject(request.resource),
    next: servedForm(object as OpenObject, request.resource),
    managed: new Map(),
    manager: { ...managerOf(request, 'Update'), manager: 'before-first-apply' },
    now: formatTime(request.server.clock.date()),
  })
  return withoutFields(tracked, ignoredBy(request))
}

/** The managed fields without some fields; managers without fields are removed. */
function withoutFields(managed: ManagedFields, fields: FieldSet): ManagedFields {
  const rest = [...managed].map(
    ([id, entry]) => [id, { ...entry, set: entry.set.recursiveDifference(fields) }] as const,
  )
  return new Map(rest.filter(([, { set }]) => !set.isEmpty))
}

interface MergeInput {
  readonly live: object
  readonly desired: Members
  readonly managed: ManagedFields
}

function merge(request: ResourceRequest, { live, desired, managed }: MergeInput) {
  const { resource, query, server } = request
  const applied = applyFields({
    type: trackedType(resource),
    whole: resourceType(resource),
    live,
    desired,
    managed,
    manager: managerOf(request, 'Apply'),
    now: formatTime(server.clock.date()),
    ignored: ignoredBy(request),
    changeIn: (apiVersion, object) => changeOfApply(request, { live, object, apiVersion }),
  })
  const isForced = isTrueParameter(query.get('force'))
  const conflicts = isForced ? [] : conflictsOf(request, live, applied.overlaps)
  if (conflicts.length > 0) throw applyConflictError(conflicts)
  return applied
}

/** Fields that a write does not change and does not own: `GetResetFields` of the real server's strategies. */
function ignoredBy({ resource, target }: ResourceRequest): FieldSet {
  const resetFields = resource.rules.parts?.resetFields?.[target.subresource]
  if (resetFields !== undefined) return fieldSetOf(resetFields)
  const ignored = new FieldSet()
  if (target.subresource === 'status') {
    ignored.insert(['f:spec'])
    const keptMetadata = keptStatusMetadata(resource)
    if (keptMetadata === 'metadata') ignored.insert(['f:metadata'])
    else for (const field of keptMetadata) ignored.insert(['f:metadata', `f:${field}`])
  } else if (hasStatus(resource)) ignored.insert(['f:status'])
  return ignored
}
