import type { ApiError } from '../kube/error.js'
import type { KubeObject, ObjectMeta } from '../kube/object.js'
import { apiVersionOf } from '../kube/resource.js'
import { type OpenObject, recordOf } from './kinds/kind-rules.js'
import { metadataStruct, type Struct, structOf } from './schema/schema.js'
import { readTyped, type Typed, TypeMismatch } from './schema/typed-json.js'
import type { ServedResource } from './served-resource.js'
import { badRequest } from './status.js'

/**
 * Makes what a client sent into an object of the resource: kind and version checked and taken off, fields
 * checked against the kind's type where there is one, and what it does not have dropped. With `strict` a
 * field that would be dropped is an error. Throws 400 in the words of Go's decoder.
 */
export function shapeObject(body: unknown, resource: ServedResource, strict = false): OpenObject {
  const given = recordOf(body)
  checkKind(given, resource)
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = given
  const { value, unknown } = typed(rest, resource)
  if (strict && unknown.length > 0) {
    const fields = unknown.map((path) => `unknown field "${path}"`)
    throw cannotHandle(resource, `strict decoding error: ${fields.join(', ')}`)
  }
  return { ...value, metadata: ownMetadata(value.metadata) }
}

function typed(given: Record<string, unknown>, resource: ServedResource): Typed {
  const struct = structOf(resource)
  try {
    if (struct !== undefined) return withZeroStructs(readTyped(given, struct), struct)
    const metadata = readTyped(recordOf(given.metadata), metadataStruct())
    const unknown = metadata.unknown.map((path) => `metadata.${path}`)
    return { value: { ...given, metadata: metadata.value }, unknown }
  } catch (error) {
    if (error instanceof TypeMismatch) throw cannotHandle(resource, error.message)
    throw error
  }
}

/** Go writes out structs such as `spec` and `status` also when nothing is in them. */
function withZeroStructs({ value, unknown }: Typed, { fields }: Struct): Typed {
  const missing = fields.filter(({ name, type, pointer }) => {
    return type.form === 'struct' && !pointer && name !== 'metadata' && value[name] === undefined
  })
  if (missing.length === 0) return { value, unknown }
  return { value: { ...value, ...Object.fromEntries(missing.map(({ name }) => [name, {}])) }, unknown }
}

/** A copy that the server may change, without the fields that it does not keep. */
function ownMetadata(metadata: unknown): ObjectMeta {
  const { managedFields: _managedFields, selfLink: _selfLink, ...kept } = recordOf(metadata)
  return kept
}

function checkKind(given: Record<string, unknown>, resource: ServedResource): void {
  const expected = apiVersionOf(resource)
  const { kind = resource.kind, apiVersion = expected } = given
  if (apiVersion !== expected) {
    const text = `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`
    throw badRequest(text)
  }
  if (kind !== resource.kind)
    throw cannotHandle(resource, `no kind "${kind}" is served as ${resource.plural}`)
}

function cannotHandle({ kind, version }: ServedResource, problem: string): ApiError {
  return badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${problem}`)
}

/** The object as it is told to clients, with the kind and version it was asked for in. */
export function withKind(
  object: KubeObject,
  resource: Pick<ServedResource, 'kind' | 'group' | 'version'>,
): KubeObject {
  return { kind: resource.kind, apiVersion: apiVersionOf(resource), ...object }
}
