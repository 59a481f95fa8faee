import { createHmac, randomBytes } from 'node:crypto'
import { ApiError } from '../kube/error.js'
import { stringifyJson } from '../kube/json.js'
import { isJsonObject } from '../kube/json-object.js'
import type { KubeObject } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'
import { isSecret } from '../kube/resource.js'
import type { PatchView } from './model.js'

const plainFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'type', 'immutable'])

/**
 * Known only to this process: a hash shows whether two values are equal, and cannot be used to guess a value.
 */
const salt = randomBytes(32)

/** Options of {@link redacted}. */
export interface RedactedOptions {
  /** Annotations of a Secret that cannot hold its data; `last-applied-configuration` for one does. Default none. */
  plainAnnotations?: ReadonlySet<string>
}

/** An object as it may be shown: of a Secret the names of its fields, and of each value its size and a salted hash. */
export function redacted(
  resource: Pick<Resource, 'group' | 'kind'>,
  object: KubeObject,
  { plainAnnotations = new Set() }: RedactedOptions = {},
): KubeObject {
  if (!isSecret(resource)) return object
  const { metadata, ...fields } = object
  const annotations = metadata.annotations && hiddenMembers(metadata.annotations, plainAnnotations)
  return {
    ...hiddenMembers(fields, plainFields),
    metadata: { ...metadata, ...(annotations && { annotations }) },
  } as KubeObject
}

/** The message of an error, without data of a Secret: an API server quotes the values that it refuses. */
export function errorText(resource: Pick<Resource, 'group' | 'kind'>, error: unknown): string {
  if (!isSecret(resource)) return error instanceof Error ? error.message : String(error)
  if (error instanceof ApiError) return `the API server answered ${error.code} ${error.reason}`.trim()
  return `${error instanceof Error ? error.name : 'an error'}; its message is hidden, because it is about a Secret`
}

/** The most letters of a value in a patch. */
const maxValue = 300

/**
 * An operation of a JSON Patch as it may be shown. Of a Secret every value is replaced by its size and a salted hash,
 * of other objects the values of environment variables, because plugins give passwords to containers there.
 */
export function redactedOperation(
  isOfSecret: boolean,
  { op, path, value }: { op: string; path: string; value?: unknown },
): PatchView {
  if (value === undefined) return { op, path, value: null }
  const isHidden = isOfSecret || /\/env\/\d+\/value$/.test(path)
  const text = isHidden ? digest(value) : stringifyJson(withoutEnvironment(value))
  return { op, path, value: text.length > maxValue ? `${text.slice(0, maxValue)} …` : text }
}

/** A value at a path of an object as it may be shown: the values of environment variables are replaced. */
export function redactedValue(path: readonly (string | number)[], value: unknown): unknown {
  const [list, , member] = path.slice(-3)
  return list === 'env' && member === 'value' ? digest(value) : withoutEnvironment(value)
}

/** A value without the `value` of objects that also have a `name`, as environment variables do. */
function withoutEnvironment(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEnvironment)
  if (typeof value !== 'object' || value === null) return value
  const isNamed = 'name' in value && 'value' in value
  const entries = Object.entries(value).map(([name, member]) => [
    name,
    isNamed && name === 'value' ? digest(member) : withoutEnvironment(member),
  ])
  return Object.fromEntries(entries)
}

function hiddenMembers(members: object, plain: ReadonlySet<string>): Record<string, unknown> {
  const entries = Object.entries(members).map(([name, value]) => [
    name,
    plain.has(name) ? value : hidden(value),
  ])
  return Object.fromEntries(entries)
}

/** Of an object each member, so that the keys of `data` are seen. */
function hidden(value: unknown): unknown {
  if (isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, digest(member)]))
  }
  return digest(value)
}

function digest(value: unknown): string {
  const text = typeof value === 'string' ? value : stringifyJson(value)
  const hash = createHmac('sha256', salt).update(text).digest('hex').slice(0, 12)
  return `<${Buffer.byteLength(text)} bytes, hash ${hash}>`
}
