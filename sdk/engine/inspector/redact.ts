import { ApiError } from '../kube/error.js'
import { isJsonObject } from '../kube/json-object.js'
import type { KubeObject } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'
import { isSecret } from '../kube/resource.js'
import { digest } from './digest.js'
import type { PatchView } from './model.js'
import { redactedExcerpt } from './redacted-excerpt.js'

const plainFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'type', 'immutable'])

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
 * An operation of a JSON Patch as it may be shown. Of a Secret every value is replaced by its size and a salted hash;
 * of other objects each `value` of an item of a list, because passwords are given so, for one in environment variables.
 */
export function redactedOperation(
  isOfSecret: boolean,
  { op, path, value }: { op: string; path: string; value?: unknown },
): PatchView {
  if (value === undefined) return { op, path, value: null }
  const isHidden = isOfSecret || /\/\d+\/value$/.test(path)
  return { op, path, value: isHidden ? digest(value) : redactedExcerpt(value, maxValue) }
}

/**
 * A value at a path of an object as it may be shown, as JSON; of a long one the first letters. The `value` of an item
 * of a list is replaced by its size and a salted hash, as in {@link redactedOperation}.
 */
export function redactedText(path: readonly (string | number)[], value: unknown, maxLetters: number): string {
  const [index, member] = path.slice(-2)
  const isHidden = typeof index === 'number' && member === 'value'
  return redactedExcerpt(isHidden ? digest(value) : value, maxLetters)
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
