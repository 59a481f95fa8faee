import { parseJson, stringifyJson } from '../../../engine/kube/json.js'
import { isJsonObject, type JsonObject, memberOf } from '../../../engine/kube/json-object.js'
import type { ChangedField } from './field-changes.js'

/** The fields of the spec that the version of an object cannot hold, by the version that has them. */
export type UnconvertedFields = Readonly<Record<string, readonly ChangedField[]>>

/** The annotation with the fields of the spec that the version of an object cannot hold. */
function unconvertedAnnotation(group: string): string {
  return `${group}/unconverted`
}

/** Reads the annotation. Users can write it: text that the conversion did not write counts as none. */
export function readUnconverted(object: JsonObject, group: string): UnconvertedFields {
  const text = memberOf(memberOf(object.metadata, 'annotations'), unconvertedAnnotation(group))
  const parsed = typeof text === 'string' ? parseOrUndefined(text) : undefined
  if (!isJsonObject(parsed)) return {}
  const entries = Object.entries(parsed).flatMap(([version, changes]) =>
    Array.isArray(changes) && changes.every(isDifference)
      ? [[version, changes.filter(isOfSpec)] as const]
      : [],
  )
  return Object.fromEntries(entries)
}

function parseOrUndefined(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/**
 * Whether a conversion may have written a change: one of the spec, or by an earlier release one of the status. An API
 * server refuses a conversion that changes the metadata, and with it each list that has the object.
 */
function isDifference(change: unknown): change is ChangedField {
  const path = memberOf(change, 'path')
  if (!Array.isArray(path) || !path.every((name) => typeof name === 'string')) return false
  return path[0] === 'spec' || path[0] === 'status'
}

/** A change of the status is left out, because a user who may write annotations may not write the status. */
const isOfSpec = ({ path }: ChangedField): boolean => path[0] === 'spec'

/** The metadata of an object with the annotation, or without it if there is nothing to hold. */
export function writeUnconverted(metadata: unknown, group: string, unconverted: UnconvertedFields): unknown {
  const annotation = unconvertedAnnotation(group)
  const { [annotation]: previous, ...others } = Object(memberOf(metadata, 'annotations')) as JsonObject
  const isEmpty = Object.values(unconverted).every((changes) => changes.length === 0)
  if (isEmpty && previous === undefined) return metadata
  const annotations = isEmpty ? others : { ...others, [annotation]: stringifyJson(unconverted) }
  if (Object.keys(annotations).length > 0) return { ...Object(metadata), annotations }
  const { annotations: _, ...rest } = Object(metadata) as JsonObject
  return rest
}

/** The largest size of all annotations of an object, in bytes. */
const maxAnnotationBytes = 256 * 1024

/**
 * The fields that fit in the annotation, the smallest first: an API server refuses a conversion with larger
 * annotations, and with it each list that has the object.
 */
export function fittingFields(
  fields: readonly ChangedField[],
  { metadata, group, waiting }: { metadata: unknown; group: string; waiting: UnconvertedFields },
): readonly ChangedField[] {
  const annotation = unconvertedAnnotation(group)
  const { [annotation]: _, ...others } = Object(memberOf(metadata, 'annotations')) as JsonObject
  const taken = Object.entries({ ...others, [annotation]: stringifyJson(waiting) }).flat()
  // The name of the version, and what surrounds its list.
  let room = maxAnnotationBytes - bytesOf(taken.join('')) - 100
  const sizes = new Map(fields.map((field) => [field, bytesOf(stringifyJson(field)) + 1]))
  const fitting = new Set<ChangedField>()
  for (const [field, size] of [...sizes].sort(([, one], [, other]) => one - other)) {
    room -= size
    if (room >= 0) fitting.add(field)
  }
  return fitting.size === fields.length ? fields : fields.filter((field) => fitting.has(field))
}

const bytesOf = (text: string) => Buffer.byteLength(text)
