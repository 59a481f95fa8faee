import { stringifyJson } from '../../sdk/engine/kube/json.js'
import { apiVersionOf } from '../../sdk/engine/kube/resource.js'
import { admitWrite } from '../admission/admit-write.js'
import { printValue } from '../base/go-values.js'
import { jsonTypeOf } from '../base/json-type.js'
import { type OpenObject, recordOf } from '../base/object.js'
import { withSortedMembers } from '../base/sorted-members.js'
import { applyJsonPatch } from '../patch/json-patch.js'
import { applyMergePatch } from '../patch/merge-patch.js'
import { mergeTypeOf } from '../patch/merge-type.js'
import { applyStrategicMerge } from '../patch/strategic-merge.js'
import { bodyText, mediaType, parseJsonBody } from '../request/body.js'
import { badRequest, failure, invalid, notFound } from '../request/status.js'
import {
  objectKind,
  type ServedResource,
  servedEntry,
  storedForm,
  withKind,
} from '../resources/served-resource.js'
import type { ResourceRequest } from '../server/context.js'
import type { Entry } from '../store/entry.js'
import { invalidValue } from '../validation/field-error.js'
import type { FieldReport, FieldValidation } from '../validation/field-report.js'
import { apply } from './apply.js'
import { checkName } from './check-name.js'
import { afterAdmission, dropDuplicateOwners } from './duplicate-owners.js'
import { reportOf } from './report.js'
import { readShape, ShapeProblem } from './shape.js'
import { whileStale } from './stale-entry.js'
import { checkAddress, findEntry, replaceSteps, type WriteResult } from './update.js'
import { type WriteOptions, writeOptions } from './write-options.js'

const applyType = 'application/apply-patch+yaml'
const strategicType = 'application/strategic-merge-patch+json'
const jsonPatch = 'application/json-patch+json'

/** Patches the object of a request. An apply creates it if it does not exist. */
export async function patch(request: ResourceRequest): Promise<WriteResult> {
  const { headers, query } = request
  const type = mediaType(headers['content-type'])
  const options = writeOptions(query, 'PatchOptions', type === applyType)
  checkName(request)
  if (type === applyType) return apply(request, options)
  return { entry: await whileStale(() => patchBy(request, options)), created: false }
}

async function patchBy(request: ResourceRequest, { dryRun, fieldValidation }: WriteOptions): Promise<Entry> {
  const { resource } = request
  const old = findEntry(request)
  if (old === undefined) throw notFound(resource, request.target.name)
  const wholeObject = withKind(servedEntry(old, resource).object, resource)
  const next = storedForm(patchedObject(request, { whole: wholeObject, resource, fieldValidation }), resource)
  checkAddress(request, next)
  dropDuplicateOwners(next.metadata, request.warnings, afterAdmission)
  return admitWrite(replaceSteps(request, { old, next, dryRun, isPatch: true }))
}

/** The target of {@link patchedObject}. */
export interface PatchTarget {
  /** The object with its kind. */
  readonly whole: object
  /** The resource of the object. */
  readonly resource: ServedResource
  readonly fieldValidation: FieldValidation
}

/** Patches an object with the body of a request and validates its structure. Throws 400, 415 or 422. */
export function patchedObject(
  request: ResourceRequest,
  { whole, resource, fieldValidation }: PatchTarget,
): OpenObject {
  const type = mediaType(request.headers['content-type'])
  checkType(type, request.resource)
  const written = parsePatch(type, bodyText(request.body), fieldValidation === 'Ignore')
  const body = applyPatchOfType(type, { target: whole, patch: written, resource })
  const shown = () => (type === strategicType ? printValue(written) : stringifyJson(body))
  const report = { ...reportOf(request, fieldValidation), written }
  return shapePatched(ofOwnKind(body, request), resource, { report, shown, isTyped: type === strategicType })
}

/** A write to a custom resource's status keeps everything else, including kind and version. */
function ofOwnKind(body: unknown, { resource, target }: ResourceRequest): unknown {
  if (resource.custom === undefined || target.subresource !== 'status') return body
  return { ...recordOf(body), kind: resource.kind, apiVersion: apiVersionOf(resource) }
}

interface ShapeOptions {
  readonly report: FieldReport
  /** Whether the patch was merged into a typed object instead of JSON. */
  readonly isTyped: boolean
  /** The patch in the format of errors. */
  readonly shown: () => string
}

/** Converts the result of a patch to an object. Throws 422 for the patch if the result is invalid. */
function shapePatched(
  body: unknown,
  resource: ServedResource,
  { report, shown, isTyped }: ShapeOptions,
): OpenObject {
  try {
    checkVersioned(body, resource)
    return readShape(body, resource, report, isTyped)
  } catch (error) {
    if (!(error instanceof ShapeProblem)) throw error
    const message = isTyped ? error.message : firstProblem(body, resource, report, error)
    throw invalid({ group: '', kind: '' }, '', [invalidValue('patch', shown(), message)])
  }
}

/** The first problem of a patched object with sorted members: Go sorts the result of a patch before it decodes it. */
function firstProblem(
  body: unknown,
  resource: ServedResource,
  report: FieldReport,
  problem: ShapeProblem,
): string {
  try {
    checkVersioned(body, resource)
    readShape(withSortedMembers(body), resource, report)
  } catch (error) {
    if (error instanceof ShapeProblem) return error.message
  }
  return problem.message
}

/**
 * An object that a client sends without a version has the version of the resource; a patched one does not.
 */
function checkVersioned(body: unknown, resource: ServedResource): void {
  const { kind, custom } = resource
  const { group } = objectKind(resource)
  const patched = recordOf(body)
  if (custom !== undefined || patched.apiVersion || !patched.kind || patched.kind === kind) return
  const where = `the internal version of group "${group}" in scheme "pkg/runtime/scheme.go:111"`
  throw new ShapeProblem(`no kind "${String(patched.kind)}" is registered for ${where}`)
}

const unknownFormat = 'the body of the request was in an unknown format - accepted media types include: '
/** The patch types of a custom resource. */
const customTypes = [jsonPatch, 'application/merge-patch+json', 'application/apply-patch+yaml']

/** Throws 415 for a patch type that the resource does not support. */
export function checkPatchType({ resource, headers }: ResourceRequest): void {
  const type = mediaType(headers['content-type'])
  if (type !== applyType) checkType(type, resource)
}

/** Throws 415 for a media type that is not a patch type of the resource. */
export function checkType(type: string, resource: ServedResource): void {
  const strategic = type === strategicType && resource.custom === undefined
  if (strategic || type === jsonPatch || type === 'application/merge-patch+json') return
  const reason = 'UnsupportedMediaType'
  if (resource.custom !== undefined) {
    throw failure(415, `${unknownFormat}${customTypes.join(', ')}`, { reason })
  }
  throw failure(415, '415: Unsupported Media Type', { reason, details: {} })
}

/** Parses a patch. Errors about a JSON patch name the Go type that decodes it; it depends on the field validation. */
function parsePatch(type: string, text: string, isIgnored: boolean): unknown {
  const isStrategic = type === strategicType
  if (type === jsonPatch && isIgnored) {
    const body = parseJsonBody(text, (problem) => problem)
    return operationsOf(body, { prefix: '', list: 'jsonpatch.Patch', step: 'jsonpatch.Operation' })
  }
  const describe = (problem: string) => `${isStrategic ? '' : 'error decoding patch: '}${problem}`
  const body = parseJsonBody(text, describe)
  if (type === jsonPatch) return operationsOf(body)
  if (body === null && !isStrategic) throw badRequest('Invalid JSON Patch')
  if (typeof body === 'object' && !Array.isArray(body)) return body ?? {}
  throw badRequest(describe(typeMismatchText('map[string]interface {}', body)))
}

interface PatchInput {
  readonly target: unknown
  readonly patch: unknown
  readonly resource: ServedResource
}

function applyPatchOfType(type: string, { target, patch, resource }: PatchInput): unknown {
  if (type === jsonPatch) return applyJsonPatch(target, patch as object[])
  if (type === strategicType) return applyStrategicPatch({ target, patch, resource })
  return applyMergePatch(target, patch)
}

/** A strategic merge patch is merged into a typed object, whose kind the patch cannot change. */
function applyStrategicPatch({ target, patch, resource }: PatchInput): unknown {
  const merged = applyStrategicMerge(recordOf(target), recordOf(patch), mergeTypeOf(resource))
  return { ...merged, kind: resource.kind, apiVersion: apiVersionOf(resource) }
}

/** Go's error for a value of the wrong type. */
function typeMismatchText(type: string, value: unknown): string {
  return `json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type ${type}`
}

interface PatchTypes {
  readonly prefix: string
  readonly list: string
  readonly step: string
}

const strictTypes: PatchTypes = {
  prefix: 'error decoding patch: ',
  list: '[]handlers.jsonPatchOp',
  step: 'handlers.jsonPatchOp',
}

function operationsOf(body: unknown, { prefix, list, step } = strictTypes): object[] {
  if (body === null) return []
  if (!Array.isArray(body)) {
    throw badRequest(`${prefix}${typeMismatchText(list, body)}`)
  }
  for (const operation of body) {
    const isObject = typeof operation === 'object' && !Array.isArray(operation)
    if (!isObject) throw badRequest(`${prefix}${typeMismatchText(step, operation)}`)
  }
  return body.map((operation: object | null) => operation ?? {})
}
