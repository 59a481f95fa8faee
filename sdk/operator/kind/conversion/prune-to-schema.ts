import { isJsonObject } from '../../../engine/kube/json-object.js'
import type { JsonSchema } from '../schema/json-schema.js'

/** A value without the members that a schema does not have, as the API server prunes it. */
export function pruneToSchema(value: unknown, schema: JsonSchema | undefined): unknown {
  if (!schema || schema['x-kubernetes-preserve-unknown-fields']) return value
  if (Array.isArray(value)) return value.map((item) => pruneToSchema(item, schema.items))
  if (!isJsonObject(value)) return value
  const { properties = {}, additionalProperties } = schema
  const kept = Object.entries(value).flatMap(([name, member]) => {
    if (Object.hasOwn(properties, name)) return [[name, pruneToSchema(member, properties[name])] as const]
    return additionalProperties ? [[name, pruneToSchema(member, additionalProperties)] as const] : []
  })
  return Object.fromEntries(kept)
}
