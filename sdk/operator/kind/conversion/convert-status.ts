import { parseJson, stringifyJson } from '../../../engine/kube/json.js'
import { isJsonObject, type JsonObject, memberOf, valueAt } from '../../../engine/kube/json-object.js'
import { formatPointer, parsePointer } from '../../../engine/kube/json-patch/pointer.js'
import { unconvertedField } from '../define/unconverted-field.js'
import type { JsonSchema } from '../schema/json-schema.js'
import { applyFieldChanges, type ChangedField, fieldChanges, isSame } from './field-changes.js'
import { pruneToSchema } from './prune-to-schema.js'

/** A version with the schema of its objects. */
interface StatusVersion {
  readonly name: string
  readonly schema: JsonSchema | undefined
}

/** The version that a status has, and the wanted one. */
export interface StatusVersions {
  readonly from: StatusVersion
  readonly to: StatusVersion
}

/**
 * The status in another version. The fields that this version cannot hold wait in its member `unconverted`, one text
 * for each: server-side apply then sees each of them as a field of its own.
 */
export function convertStatus(status: unknown, { from, to }: StatusVersions): unknown {
  const [fromSchema, toSchema] = [statusSchemaOf(from), statusSchemaOf(to)]
  const plain = pruneToSchema(status, toSchema)
  if (!isJsonObject(status) || !isJsonObject(plain) || !hasMember(fromSchema) || !hasMember(toSchema))
    return plain
  const { [unconvertedField]: waiting, ...original } = status
  const { [unconvertedField]: _, ...converted } = plain
  const texts = readTexts(waiting)
  const returning = texts.flatMap(([key, text]) => changeOf(key, text, to.name) ?? [])
  const back = (one: JsonObject) => pruneToSchema(one, fromSchema)
  const restored = restoreFields(converted, returning, { original, back })
  const others = texts.filter(([key]) => ![from, to].some(({ name }) => isOf(key, name)))
  const lost = fieldChanges(back(restored), original).map((change) => textOf(change, from.name))
  const kept = [...others, ...lost]
  return kept.length > 0 ? { ...restored, [unconvertedField]: Object.fromEntries(kept) } : restored
}

const statusSchemaOf = ({ schema }: StatusVersion) => schema?.properties?.status

const hasMember = (schema: JsonSchema | undefined) => schema?.properties?.[unconvertedField] !== undefined

/** The status with the fields that waited, unless they contradict what the original says itself. */
function restoreFields(
  converted: JsonObject,
  returning: readonly ChangedField[],
  { original, back }: { original: JsonObject; back: (status: JsonObject) => unknown },
): JsonObject {
  const restored = applyFieldChanges(converted, returning)
  const isTrue = fieldChanges(back(converted), back(restored)).every(({ path, value }) =>
    isSame(value, valueAt(original, path)),
  )
  return isTrue ? restored : converted
}

/** The name of a version and the JSON pointer of a field, and the values of the field as text. */
type FieldText = readonly [key: string, text: string]

function textOf({ path, ...values }: ChangedField, version: string): FieldText {
  return [`${version}${formatPointer(path)}`, stringifyJson(values)]
}

function readTexts(waiting: unknown): FieldText[] {
  const texts = isJsonObject(waiting) ? Object.entries(waiting) : []
  return texts.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
}

const isOf = (key: string, version: string) => key.startsWith(`${version}/`)

/** The change of a field of a version; undefined for another version, and for a text that no conversion wrote. */
function changeOf(key: string, text: string, version: string): ChangedField | undefined {
  const path = isOf(key, version) ? parsePointer(key.slice(version.length)) : undefined
  const values = path && parseOrUndefined(text)
  if (!path || !isJsonObject(values)) return undefined
  const [was, value] = [memberOf(values, 'was'), memberOf(values, 'value')]
  return { path, ...(was !== undefined && { was }), ...(value !== undefined && { value }) }
}

function parseOrUndefined(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
