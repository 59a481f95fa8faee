import type { ApiError } from '../sdk/kube/error.js'
import { stringifyJson } from '../sdk/kube/json.js'
import type { KubeObject, ObjectMeta } from '../sdk/kube/object.js'
import { apiVersionOf } from '../sdk/kube/resource.js'
import { parseApiVersion } from './api-version.js'
import { summarize } from './body.js'
import { pruneResource } from './custom/prune.js'
import { isObject } from './custom/rewrite.js'
import type { Schema } from './custom/schema.js'
import { type OpenObject, recordOf, textAt } from './kinds/kind-rules.js'
import { metadataStruct, type Struct, structOf } from './schema/schema.js'
import { TypeMismatch } from './schema/type-mismatch.js'
import { type Reading, readTyped, type Typed } from './schema/typed-json.js'
import { objectKind, type ServedResource } from './served-resource.js'
import { badRequest, invalid } from './status.js'
import { decimalsIn } from './validation/decimals.js'
import { invalidValue } from './validation/field-error.js'
import { type FieldReport, fieldProblems } from './validation/field-report.js'

/** What a client sent is no object of the resource; the message is that of Go's decoder or converter. */
export class ShapeProblem extends Error {
  override readonly name = 'ShapeProblem'
}

/**
 * Makes the body of a create or update into an object of the resource, as {@link readShape} does. Throws 400.
 */
export function shapeObject(body: unknown, resource: ServedResource, report: FieldReport): OpenObject {
  const expected = apiVersionOf(resource)
  const { kind: given, apiVersion: version = expected } = recordOf(body)
  // What is patched comes to the same later, and in other words.
  if (resource.custom !== undefined && given && version !== expected) {
    throw badRequest(wrongVersion(version, expected))
  }
  try {
    return readShape(body, resource, report)
  } catch (error) {
    if (!(error instanceof ShapeProblem)) throw error
    const { kind = resource.kind, apiVersion = apiVersionOf(resource) } = recordOf(body)
    const { version } = parseApiVersion(String(apiVersion))
    const text = `${kind} in version "${version}" cannot be handled as a ${resource.kind}: ${error.message}`
    throw badRequest(text)
  }
}

/**
 * Makes JSON into an object of the resource: kind and version checked and taken off, fields checked against
 * the kind's type where there is one, and what it does not have dropped. A field that would be
 * dropped is a problem where the report is strict. What is patched or applied is converted, and not decoded. Throws a {@link ShapeProblem}.
 */
export function readShape(
  body: unknown,
  resource: ServedResource,
  report: FieldReport,
  isConverted = false,
): OpenObject {
  const given = recordOf(body)
  checkKind(given, resource)
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = given
  const { value, unknown } = typed(rest, resource, { decimals: decimalsIn(report.text), isConverted })
  reportFields(body, unknown, report)
  return { ...value, metadata: ownMetadata(value.metadata) }
}

function reportFields(body: unknown, unknown: readonly string[], report: FieldReport): void {
  const problems = fieldProblems(body, unknown, report)
  if (problems.length === 0) return
  if (report.validation === 'Strict') throw new ShapeProblem(`strict decoding error: ${problems.join(', ')}`)
  report.warnings.push(...problems)
}

function readAs(
  { kind: _kind, apiVersion: _apiVersion, ...given }: Record<string, unknown>,
  struct: Struct,
  reading?: Reading,
): Typed {
  try {
    return readTyped(given, struct, reading)
  } catch (error) {
    if (error instanceof TypeMismatch) throw new ShapeProblem(error.message)
    throw error
  }
}

function typed(given: Record<string, unknown>, resource: ServedResource, reading: Reading): Typed {
  const struct = structOf(resource)
  if (struct !== undefined) return readAs(given, struct, reading)
  try {
    const metadata = readTyped(metadataOf(given), metadataStruct(), {
      isConverted: reading.isConverted === true,
    })
    const unknown = metadata.unknown.map((path) => `metadata.${path}`)
    const whole = { ...given, metadata: metadata.value }
    return resource.custom === undefined
      ? { value: whole, unknown }
      : pruned({ value: whole, unknown }, resource.custom.schema)
  } catch (error) {
    if (error instanceof TypeMismatch) throw new ShapeProblem(error.message)
    throw error
  }
}

/** The metadata of an object whose type is not known, which must be an object for all that. */
function metadataOf({ metadata }: Record<string, unknown>): Record<string, unknown> {
  if (metadata === undefined || metadata === null || isObject(metadata)) return recordOf(metadata)
  const type = typeof metadata === 'boolean' ? 'bool' : typeof metadata
  const found = Array.isArray(metadata) ? 'array' : type
  throw new ShapeProblem(`json: cannot unmarshal ${found} into Go value of type v1.ObjectMeta`)
}

/** A custom resource keeps what its schema has. */
function pruned({ value, unknown }: Typed, schema: Schema): Typed {
  const kept = pruneResource(value, schema)
  return { value: { ...recordOf(kept.value) }, unknown: [...unknown, ...kept.unknown] }
}

/** A copy that the server may change, without the fields that it does not keep. */
function ownMetadata(metadata: unknown): ObjectMeta {
  const { selfLink: _selfLink, ...kept } = recordOf(metadata)
  return kept
}

function checkKind(given: Record<string, unknown>, resource: ServedResource): void {
  const expected = apiVersionOf(resource)
  if (resource.custom !== undefined && !given.kind) throw withoutKind(given, resource)
  const kind = given.kind || resource.kind
  const apiVersion = given.apiVersion || expected
  if (apiVersion === expected && kind === resource.kind) return
  if (resource.custom !== undefined) throw wrongCustomType(given, resource)
  const { group, version } = parseApiVersion(String(apiVersion))
  if (kind === resource.kind && isOtherForm(resource, group, version)) {
    throw badRequest(wrongVersion(apiVersion, expected))
  }
  const other = structOf({ group, version, kind: String(kind) })
  // It is read as what it says it is first.
  if (other !== undefined) readAs(given, other)
  throw new ShapeProblem(
    other !== undefined || (group === '' && version === 'v1' && isAnswer(kind))
      ? `converting (${version}.${kind}) to (${internalPackage(resource)}.${resource.kind}): unknown conversion`
      : `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`,
  )
}

/** Kinds of answers, which Go knows in every group. */
const ANSWERS = ['Status', 'APIVersions', 'APIGroup', 'APIGroupList', 'APIResourceList']

const isAnswer = (kind: unknown) => ANSWERS.includes(String(kind))

function wrongVersion(apiVersion: unknown, expected: string): string {
  return `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`
}

/** Whether the objects of another version are the same ones, which are then of the wrong version and not another kind. */
function isOtherForm({ kind, storage, ...own }: ServedResource, group: string, version: string): boolean {
  if (structOf({ group, version, kind }) === undefined) return false
  return group === own.group || (storage === 'events' && EVENT_GROUPS.includes(group))
}

const EVENT_GROUPS = ['', 'events.k8s.io']

/** Only built-in kinds go without saying. */
function withoutKind(given: Record<string, unknown>, { kind }: ServedResource): ApiError {
  const text = stringifyJson(given)
  return badRequest(
    `the object provided is unrecognized (must be of type ${kind}): Object 'Kind' is missing in '${text}' (${summarize(text)})`,
  )
}

/** A custom resource that says to be something else is one whose kind and version are wrong. */
function wrongCustomType(given: Record<string, unknown>, resource: ServedResource): ApiError {
  const expected = apiVersionOf(resource)
  const { kind, apiVersion = expected } = given
  const { group } = parseApiVersion(String(apiVersion))
  const problems = [
    ...(kind === resource.kind ? [] : [invalidValue('kind', kind, `must be ${resource.kind}`)]),
    ...(apiVersion === expected ? [] : [invalidValue('apiVersion', apiVersion, `must be ${expected}`)]),
  ]
  return invalid({ group, kind: String(kind) }, textAt(given, 'metadata', 'name'), problems)
}

/** The Go package of a group's internal types. */
function internalPackage(resource: ServedResource): string {
  const { group } = objectKind(resource)
  return group === '' ? 'core' : (group.split('.')[0] ?? group)
}

/** The object as it is told to clients, with the kind and version it was asked for in. */
export function withKind(
  object: KubeObject,
  resource: Pick<ServedResource, 'kind' | 'group' | 'version'>,
): KubeObject {
  return { kind: resource.kind, apiVersion: apiVersionOf(resource), ...object }
}
