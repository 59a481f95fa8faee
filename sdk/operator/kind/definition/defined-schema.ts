import type { CelRule, JsonSchema } from '../schema/json-schema.js'
import { mapSchema } from '../schema/map-schema.js'

/** A copy of a schema as a definition has it: without the reasons why rules are not checked. */
export function definedSchema(schema: JsonSchema): JsonSchema {
  return mapSchema(structuredClone(schema), (node) => {
    const rules = node['x-kubernetes-validations']
    return rules ? { ...node, 'x-kubernetes-validations': rules.map(definedRule) } : node
  })
}

const definedRule = ({ unchecked: _, ...rule }: CelRule): CelRule => rule
