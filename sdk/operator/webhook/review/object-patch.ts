import type { JsonObject } from '../../../engine/kube/json-object.js'
import { patchOf } from '../../../engine/kube/json-patch/create-patch.js'
import { differences } from '../../../engine/kube/json-patch/differences.js'
import type { PatchOperation } from '../../../engine/kube/json-patch/operation.js'
import type { JsonSchema } from '../../kind/schema/json-schema.js'

/**
 * The JSON Patch (RFC 6902) that turns the object of a request into the object that `default` returned. A member of
 * `spec` is removed only if the schema has it: code that rebuilds an object from the fields that it knows keeps the
 * fields of a newer schema. A list of another length is replaced, because its items may have moved.
 */
export function objectPatch(from: JsonObject, to: JsonObject, schema?: JsonSchema): PatchOperation[] {
  const { spec } = schema?.properties ?? {}
  const root = schema && { properties: { metadata: openSchema, ...(spec && { spec }) } }
  const changes = differences(from, to, { lists: 'sameLength' })
  return patchOf(changes.filter((one) => 'value' in one || isKnown(root, one.path)))
}

/** The schema of a part in which every member is known. */
const openSchema: JsonSchema = { 'x-kubernetes-preserve-unknown-fields': true }

/** Whether a schema has the member at a path; below a part without a schema every member is known. */
function isKnown(root: JsonSchema | undefined, path: readonly (string | number)[]): boolean {
  const schema = path.slice(0, -1).reduce(schemaBelow, root)
  if (!schema) return true
  const isOpen =
    schema['x-kubernetes-preserve-unknown-fields'] ||
    schema['x-kubernetes-embedded-resource'] ||
    schema.additionalProperties !== undefined
  return isOpen || Object.hasOwn(schema.properties ?? {}, path.at(-1) ?? '')
}

function schemaBelow(schema: JsonSchema | undefined, name: string | number): JsonSchema | undefined {
  if (typeof name === 'number') return schema?.items
  const { properties = {}, additionalProperties } = schema ?? {}
  return Object.hasOwn(properties, name) ? properties[name] : additionalProperties
}
