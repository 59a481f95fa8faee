import { type $ZodType, toJSONSchema } from 'zod/v4/core'

/**
 * The JSON Schema of what a user may write in a plugin's configuration, before defaults. A plugin may read its
 * configuration in parts, each with a schema of its own. Only a description needs this module.
 */
export function inputSchema(schemas: readonly $ZodType[]): object | undefined {
  const parts = schemas.map((schema) => toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
  return parts.length === 1 ? parts[0] : { allOf: parts }
}
