import { type $ZodDefaultDef, type $ZodPrefaultDef, safeParse } from 'zod/v4/core'
import { issueText } from '../../../engine/kube/issue-text.js'
import { jsonEqual } from '../../../engine/kube/json.js'
import type { JsonSchema } from './json-schema.js'
import type { SchemaContext } from './schema-context.js'

/**
 * Converts `default` and `prefault`. The API server fills in the defaults inside a default. So the complete default is
 * written, and a `default` that zod would return incomplete is refused.
 */
export function convertDefault(def: $ZodDefaultDef | $ZodPrefaultDef, context: SchemaContext): JsonSchema {
  const count = context.findings.problems.length
  const node = context.unwrap(def.innerType)
  if (context.findings.problems.length > count) return node
  if (context.position === 'element') {
    return context.refuse(def.type, 'has no meaning for the elements of a list or a map; leave it out')
  }
  const value = def.defaultValue
  if (!jsonEqual(value, def.defaultValue)) {
    return context.refuse(def.type, 'changes with each call; a CRD needs a constant')
  }
  const { success, data, error } = safeParse(def.innerType, value)
  if (!success) {
    const why = error.issues.map((issue) => [...issue.path, issueText(issue)].join(': ')).join('; ')
    return context.refuse(def.type, `is not valid itself (${why})`)
  }
  if (def.type === 'default' && !jsonEqual(value, data)) {
    return context.refuse(
      'default',
      'is handed on by zod as it is, while the API server fills the defaults in it; use .prefault(...)',
    )
  }
  return { ...node, default: data }
}
