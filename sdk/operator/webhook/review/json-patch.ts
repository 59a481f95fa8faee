import type { JsonPatchOperation } from '../../../engine/client/client.js'
import { jsonEqual } from '../../../engine/kube/json.js'
import { isJsonObject, type JsonObject, memberOf } from '../../../engine/kube/json-object.js'
import type { JsonSchema } from '../../kind/schema/json-schema.js'

/** One position of a JSON value: its pointer (RFC 6901), and its schema if one is known. */
interface PatchPosition {
  readonly pointer: string
  readonly schema: JsonSchema | undefined
}

/**
 * The JSON Patch (RFC 6902) that turns the object of a request into the object that `default` returned. A member of
 * `spec` is removed only if the schema has it: code that rebuilds an object from the fields that it knows keeps the
 * fields of a newer schema.
 */
export function objectPatch(from: JsonObject, to: JsonObject, schema?: JsonSchema): JsonPatchOperation[] {
  const { spec } = schema?.properties ?? {}
  const root = schema && { properties: { metadata: open, ...(spec && { spec }) } }
  return membersPatch(from, to, { pointer: '', schema: root })
}

/** The schema of a part in which every member is known. */
const open: JsonSchema = { 'x-kubernetes-preserve-unknown-fields': true }

function valuePatch(from: unknown, to: unknown, position: PatchPosition): JsonPatchOperation[] {
  if (jsonEqual(from, to)) return []
  if (isJsonObject(from) && isJsonObject(to)) return membersPatch(from, to, position)
  if (Array.isArray(from) && Array.isArray(to) && from.length === to.length)
    return from.flatMap((item, at) =>
      valuePatch(item, to[at] ?? null, {
        pointer: `${position.pointer}/${at}`,
        schema: position.schema?.items,
      }),
    )
  return [{ op: 'replace', path: position.pointer, value: to }]
}

function membersPatch(from: JsonObject, to: JsonObject, position: PatchPosition): JsonPatchOperation[] {
  const names = new Set([...Object.keys(from), ...Object.keys(to)])
  return [...names].flatMap((name) => {
    if (memberOf(to, name) === undefined && !knows(position.schema, name)) return []
    return memberPatch(from, to, { name, position, child: schemaOf(position.schema, name) })
  })
}

function memberPatch(
  from: JsonObject,
  to: JsonObject,
  { name, position, child }: { name: string; position: PatchPosition; child: JsonSchema | undefined },
): JsonPatchOperation[] {
  const path = `${position.pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const [old, wanted] = [memberOf(from, name), memberOf(to, name)]
  if (wanted === undefined) return old === undefined ? [] : [{ op: 'remove', path }]
  if (old === undefined) return [{ op: 'add', path, value: wanted }]
  return valuePatch(old, wanted, { pointer: path, schema: child })
}

function knows(schema: JsonSchema | undefined, name: string): boolean {
  if (!schema) return true
  const isOpen =
    schema['x-kubernetes-preserve-unknown-fields'] ||
    schema['x-kubernetes-embedded-resource'] ||
    schema.additionalProperties !== undefined
  return isOpen || Object.hasOwn(schema.properties ?? {}, name)
}

function schemaOf(schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  const { properties = {}, additionalProperties } = schema ?? {}
  return Object.hasOwn(properties, name) ? properties[name] : additionalProperties
}
