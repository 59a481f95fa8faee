import type { ApiError } from '../../sdk/engine/kube/error.js'
import { stringifyJson } from '../../sdk/engine/kube/json.js'
import { isJsonObject } from '../../sdk/engine/kube/json-object.js'
import type { ObjectMeta } from '../../sdk/engine/kube/object.js'
import { apiVersionOf } from '../../sdk/engine/kube/resource.js'
import { parseApiVersion } from '../base/api-version.js'
import { jsonTypeOf } from '../base/json-type.js'
import { type OpenObject, recordOf, textAt } from '../base/object.js'
import { pruneResource } from '../custom/prune.js'
import { summarize } from '../request/body.js'
import { badRequest, invalid } from '../request/status.js'
import { objectKind, type ServedResource } from '../resources/served-resource.js'
import { metadataStruct, type Struct, structOf } from '../schema/schema.js'
import type { Schema } from '../schema/structural-schema.js'
import { TypeMismatch } from '../schema/type-mismatch.js'
import { type ReadTypedOptions, readTyped, type TypedObject } from '../schema/typed-json.js'
import { decimalsIn } from '../validation/decimals.js'
import { invalidValue } from '../validation/field-error.js'
import { type FieldReport, fieldProblems } from '../validation/field-report.js'

/**
 * Error for a body that is not an object of the resource; the message is that of Go's decoder or converter.
 */
export class ShapeProblem extends Error {
  override readonly name = 'ShapeProblem'
}

/**
 * Converts the body of a create or update to an object of the resource, like {@link readShape}. Throws 400.
 */
export function shapeObject(body: unknown, resource: ServedResource, report: FieldReport): OpenObject {
  const expected = apiVersionOf(resource)
  const { kind: givenKind, apiVersion: version = expected } = recordOf(body)
  // The same check for a patched object comes later and has another text.
  if (resource.custom !== undefined && givenKind && version !== expected) {
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
 * Converts JSON to an object of the resource: checks and removes kind and version, checks fields against the
 * kind's type if there is one, and drops unknown fields. Unknown fields are an error if the report is strict.
 * Patched and applied objects are converted, not decoded. Throws a {@link ShapeProblem}.
 */
export function readShape(
  body: unknown,
  resource: ServedResource,
  report: FieldReport,
  isConverted = false,
): OpenObject {
  const members = recordOf(body)
  checkKind(members, resource)
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = members
  const { value, unknown } = readFields(rest, resource, { decimals: decimalsIn(report.text), isConverted })
  reportFields(body, unknown, report)
  return { ...value, metadata: ownMetadata(value.metadata) }
}

function reportFields(body: unknown, unknown: readonly string[], report: FieldReport): void {
  const problems = fieldProblems(body, unknown, report)
  if (problems.length === 0) return
  if (report.validation === 'Strict') throw new ShapeProblem(`strict decoding error: ${problems.join(', ')}`)
  for (const problem of problems) report.warnings.push(problem)
}

function readAs(
  { kind: _kind, apiVersion: _apiVersion, ...content }: Record<string, unknown>,
  struct: Struct,
  reading?: ReadTypedOptions,
): TypedObject {
  try {
    return readTyped(content, struct, reading)
  } catch (error) {
    if (error instanceof TypeMismatch) throw new ShapeProblem(error.message)
    throw error
  }
}

function readFields(
  body: Record<string, unknown>,
  resource: ServedResource,
  reading: ReadTypedOptions,
): TypedObject {
  const struct = structOf(resource)
  if (struct !== undefined) return readAs(body, struct, reading)
  try {
    const metadata = readTyped(metadataOf(body), metadataStruct(), {
      isConverted: reading.isConverted === true,
    })
    const unknown = metadata.unknown.map((path) => `metadata.${path}`)
    const wholeObject = { ...body, metadata: metadata.value }
    return resource.custom === undefined
      ? { value: wholeObject, unknown }
      : pruneFields({ value: wholeObject, unknown }, resource.custom.schema)
  } catch (error) {
    if (error instanceof TypeMismatch) throw new ShapeProblem(error.message)
    throw error
  }
}

/** The metadata of an object without a known type must be an object nevertheless. */
function metadataOf({ metadata }: Record<string, unknown>): Record<string, unknown> {
  if (metadata === undefined || metadata === null || isJsonObject(metadata)) return recordOf(metadata)
  throw new ShapeProblem(`json: cannot unmarshal ${jsonTypeOf(metadata)} into Go value of type v1.ObjectMeta`)
}

/** Removes the fields of a custom resource that its schema does not have. */
function pruneFields({ value, unknown }: TypedObject, schema: Schema): TypedObject {
  const pruned = pruneResource(value, schema)
  return { value: { ...recordOf(pruned.value) }, unknown: [...unknown, ...pruned.unknown] }
}

/** A copy that the server may change, without fields that it does not store. */
function ownMetadata(metadata: unknown): ObjectMeta {
  const { selfLink: _selfLink, ...otherMetadata } = recordOf(metadata)
  return otherMetadata
}

function checkKind(body: Record<string, unknown>, resource: ServedResource): void {
  const expected = apiVersionOf(resource)
  if (resource.custom !== undefined && !body.kind) throw missingKindError(body, resource)
  const kind = body.kind || resource.kind
  const apiVersion = body.apiVersion || expected
  if (apiVersion === expected && kind === resource.kind) return
  if (resource.custom !== undefined) throw wrongCustomTypeError(body, resource)
  const { group, version } = parseApiVersion(String(apiVersion))
  if (kind === resource.kind && isOtherForm(resource, group, version)) {
    throw badRequest(wrongVersion(apiVersion, expected))
  }
  const statedType = structOf({ group, version, kind: String(kind) })
  // A kube-apiserver decodes the body in its stated kind first, so errors of that kind come first.
  if (statedType !== undefined) readAs(body, statedType)
  throw new ShapeProblem(
    statedType !== undefined || (group === '' && version === 'v1' && isAnswer(kind))
      ? `converting (${version}.${kind}) to (${internalPackage(resource)}.${resource.kind}): unknown conversion`
      : `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`,
  )
}

/** Kinds of responses, which Go knows in every group. */
const answers = ['Status', 'APIVersions', 'APIGroup', 'APIGroupList', 'APIResourceList']

const isAnswer = (kind: unknown) => answers.includes(String(kind))

function wrongVersion(apiVersion: unknown, expected: string): string {
  return `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`
}

/** Whether another version has the same objects; then the version is wrong, not the kind. */
function isOtherForm(
  { kind, storage, ...ownVersion }: ServedResource,
  group: string,
  version: string,
): boolean {
  if (structOf({ group, version, kind }) === undefined) return false
  return group === ownVersion.group || (storage === 'events' && eventGroups.includes(group))
}

const eventGroups = ['', 'events.k8s.io']

/** The error for a body without a kind, which only built-in resources allow. */
function missingKindError(body: Record<string, unknown>, { kind }: ServedResource): ApiError {
  const text = stringifyJson(body)
  return badRequest(
    `the object provided is unrecognized (must be of type ${kind}): Object 'Kind' is missing in '${text}' (${summarize(text)})`,
  )
}

/** A custom resource with another kind or version is an error in both fields. */
function wrongCustomTypeError(body: Record<string, unknown>, resource: ServedResource): ApiError {
  const expected = apiVersionOf(resource)
  const { kind, apiVersion = expected } = body
  const { group } = parseApiVersion(String(apiVersion))
  const problems = [
    ...(kind === resource.kind ? [] : [invalidValue('kind', kind, `must be ${resource.kind}`)]),
    ...(apiVersion === expected ? [] : [invalidValue('apiVersion', apiVersion, `must be ${expected}`)]),
  ]
  return invalid({ group, kind: String(kind) }, textAt(body, 'metadata', 'name'), problems)
}

/** The Go package of a group's internal types. */
function internalPackage(resource: ServedResource): string {
  const { group } = objectKind(resource)
  return group === '' ? 'core' : (group.split('.')[0] ?? group)
}
