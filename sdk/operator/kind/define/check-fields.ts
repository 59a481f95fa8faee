import { celCode } from '../schema/cel-code.js'
import type { JsonSchema } from '../schema/json-schema.js'
import type { KindProblem } from '../schema/problem.js'

/** The members that the schema of a whole object takes from that of `fields`. */
const takenMembers: ReadonlySet<string> = new Set([
  'type',
  'description',
  'properties',
  'required',
  'x-kubernetes-validations',
])

/** The constructs that write other members. */
const constructs: Readonly<Record<string, string>> = {
  minProperties: 'k.oneOf',
  maxProperties: 'k.oneOf',
  'x-kubernetes-map-type': 'k.atomic',
  'x-kubernetes-preserve-unknown-fields': 'looseObject',
}

/** Finds the parts of the schema of `fields` that a whole object cannot have: it also has metadata and a status. */
export function checkFields(schema: JsonSchema, path: string): KindProblem[] {
  const otherMembers = Object.keys(schema).filter((name) => !takenMembers.has(name))
  const lost = new Set(otherMembers.map((name) => constructs[name] ?? name))
  const rules = (schema['x-kubernetes-validations'] ?? []).filter(({ rule }) => readsWhole(rule))
  return [
    ...[...lost].map((construct) => ({
      path,
      construct,
      message:
        'cannot be the schema of a whole object; use z.object({...}), and move it into one of its fields',
    })),
    ...rules.map(({ rule }) => ({
      path,
      construct: `rule ${JSON.stringify(rule)}`,
      message:
        'reads the whole object with its metadata and status; name fields, such as self.size == oldSelf.size',
    })),
  ]
}

/** Whether a rule reads `self` or `oldSelf` other than by their fields. */
const readsWhole = (rule: string) => /(?<!\w|\.\??\s*)(?:self|oldSelf)(?!\w|\s*[.[])/.test(celCode(rule))
