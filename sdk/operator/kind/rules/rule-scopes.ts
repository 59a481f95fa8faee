import type { JsonSchema } from '../schema/json-schema.js'

/** A node that may have rules, and how often it can occur in an object. */
export interface RuleScope {
  readonly path: string
  readonly schema: JsonSchema
  /** `undefined` if a list or a map around it has no limit. */
  readonly count: number | undefined
  /** The list or the map around it that has no limit. */
  readonly unlimited?: string
}

/** A node and all nodes below it. */
export function scopesOf(scope: RuleScope): RuleScope[] {
  const { path, schema } = scope
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    scopesOf({
      ...scope,
      path: path === '' || path.endsWith('.') ? path + name : `${path}.${name}`,
      schema: field,
    }),
  )
  const inner = schema.items ?? schema.additionalProperties
  return inner === undefined ? [scope, ...fields] : [scope, ...fields, ...scopesOf(elementOf(scope, inner))]
}

function elementOf({ path, schema, count, unlimited }: RuleScope, inner: JsonSchema): RuleScope {
  const limit = schema.items ? schema.maxItems : schema.maxProperties
  const open = limit === undefined ? (unlimited ?? path) : unlimited
  return {
    path: path + (schema.items ? '[]' : '{}'),
    schema: inner,
    count: limit !== undefined && count !== undefined ? count * Math.max(0, limit) : undefined,
    ...(open !== undefined && { unlimited: open }),
  }
}
