import { isJsonObject } from '../../sdk/engine/kube/json-object.js'
import { memberOf, type Schema } from '../schema/structural-schema.js'
import { dropped, rewriteElements, rewriteMembers } from './rewrite.js'

/** Options of {@link withDefaults}. */
interface NullOptions {
  /** Whether nulls that are not allowed stay, for the validation. */
  readonly keepsNulls: boolean
}

/**
 * Returns the value with the defaults of its schema for missing members, and without nulls that are not
 * allowed; the same value if nothing changes. Follows `pkg/apiserver/schema/defaulting` of
 * k8s.io/apiextensions-apiserver v0.36.3.
 */
export function withDefaults(
  value: unknown,
  schema: Schema | undefined,
  options: NullOptions = { keepsNulls: false },
): unknown {
  if (schema === undefined) return value
  if (Array.isArray(value)) {
    return rewriteElements(value, (element) =>
      withDefaults(nullToDefault(element, schema.items), schema.items, options),
    )
  }
  if (!isJsonObject(value)) return value
  return rewriteMembers(fillMembers(value, schema), (name, member) => {
    const below = memberOf(schema, name)
    const withoutNull = nullToDefault(member, below)
    const isDropped = withoutNull === null && isForbiddenNull(below) && !options.keepsNulls
    return isDropped ? dropped : withDefaults(withoutNull, below, options)
  })
}

function isForbiddenNull(schema: Schema | undefined): boolean {
  return schema !== undefined && schema.nullable !== true
}

function nullToDefault(value: unknown, schema: Schema | undefined): unknown {
  return value === null && isForbiddenNull(schema) ? (schema?.default ?? null) : value
}

function fillMembers(value: Readonly<Record<string, unknown>>, schema: Schema) {
  const missingMembers: [string, unknown][] = []
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (property.default !== undefined && property.default !== null && !Object.hasOwn(value, name)) {
      missingMembers.push([name, property.default])
    }
  }
  return missingMembers.length === 0 ? value : { ...value, ...Object.fromEntries(missingMembers) }
}
