import { type $ZodDefaultDef, type $ZodPrefaultDef, safeParse } from 'zod/v4/core'
import { jsonEqual } from '../../../kube/json.js'
import type { JsonSchema } from './json-schema.js'
import type { Place } from './place.js'

/**
 * Converts `default` and `prefault`. The API server fills the defaults inside of a default, so the default that is
 * written is complete, and one that zod would hand on incomplete is refused.
 */
export function convertDefault(def: $ZodDefaultDef | $ZodPrefaultDef, place: Place): JsonSchema {
  const count = place.findings.problems.length
  const node = place.unwrap(def.innerType)
  if (place.findings.problems.length > count) return node
  if (place.position === 'element') {
    return place.refuse(def.type, 'has no meaning for the elements of a list or a map; leave it out')
  }
  const value = def.defaultValue
  if (!jsonEqual(value, def.defaultValue)) {
    return place.refuse(def.type, 'changes with each call; a CRD needs a constant')
  }
  const { success, data, error } = safeParse(def.innerType, value)
  if (!success) {
    const why = error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; ')
    return place.refuse(def.type, `is not valid itself (${why})`)
  }
  if (def.type === 'default' && !jsonEqual(value, data)) {
    return place.refuse(
      'default',
      'is handed on by zod as it is, while the API server fills the defaults in it; use .prefault(...)',
    )
  }
  return { ...node, default: data }
}
