import { type $ZodCheck, type $ZodType, type $ZodTypeDef, clone } from 'zod/v4/core'
import type { CelRule, JsonSchema } from './json-schema.js'

/** The part of a schema that zod cannot express. */
export interface Extension {
  /** The whole node, for schemas that zod can only approximate. */
  readonly schema?: JsonSchema
  /** For an integer or a text: the schema of the text. */
  readonly text?: $ZodType
  /** Members that are added to the converted node. */
  readonly members?: JsonSchema
  /** Exactly one of the fields of the object is set. */
  readonly isOneOf?: true
  readonly rules?: readonly CelRule[]
}

/** A symbol on the definition survives `.min()`, `.describe()` and everything else that clones a schema. */
const extensionKey = Symbol('vcluster-plugin-sdk.extension')

type ExtendedDef = $ZodTypeDef & { readonly [extensionKey]?: Extension }

/** The checks that the builders of `k` add. They need no conversion: the extension expresses the same. */
const ownChecks = new WeakSet<object>()

/** The extension of a schema; empty if it has none. */
export function extensionOf(schema: $ZodType): Extension {
  return (schema._zod.def as ExtendedDef)[extensionKey] ?? {}
}

/** A copy of a schema with further members for the definition, and with an equivalent check for zod. */
export function extend<T extends $ZodType>(schema: T, added: Extension, check?: $ZodCheck<never>): T {
  const { def } = schema._zod
  const existing = extensionOf(schema)
  const rules = [...(existing.rules ?? []), ...(added.rules ?? [])]
  const members = { ...existing.members, ...added.members }
  const extension = { ...existing, ...added, members, ...(rules.length > 0 && { rules }) }
  if (check) ownChecks.add(check)
  const checks = check ? [...(def.checks ?? []), check] : def.checks
  // A clone with a parent keeps the description, which zod stores by schema.
  return clone(schema, { ...def, ...(checks && { checks }), [extensionKey]: extension } as T['_zod']['def'], {
    parent: true,
  })
}

/** Whether a check of a schema was added by a builder of `k`. */
export function isOwnCheck(check: object): boolean {
  return ownChecks.has(check)
}
