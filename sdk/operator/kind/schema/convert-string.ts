import type { $ZodCheckStringFormatDef, $ZodChecks } from 'zod/v4/core'
import type { JsonSchema } from './json-schema.js'
import { patternProblem } from './pattern-problem.js'
import type { SchemaContext } from './schema-context.js'

/** The counterpart of a zod format in a definition. */
interface KnownFormat {
  /** The format of the API server. */
  readonly format: string
  /**
   * Refuses the values that the server's format accepts and zod's does not; `zod` is the pattern of zod. Default: both
   * accept the same values.
   */
  readonly pattern?: RegExp | 'zod'
  /** Options of zod that the server cannot check. */
  readonly refused?: readonly string[]
}

/**
 * The formats that a kube-apiserver checks. It ignores unknown formats, so no others may be written. It accepts a list
 * in place of a text with a format; such an object fails when it is parsed.
 */
const formats: Readonly<Record<string, KnownFormat>> = {
  datetime: { format: 'date-time', refused: ['local', 'precision'] },
  date: { format: 'date' },
  email: { format: 'email', pattern: 'zod' },
  ipv4: { format: 'ipv4', pattern: 'zod' },
  ipv6: { format: 'ipv6', pattern: 'zod' },
  uuid: { format: 'uuid', pattern: 'zod' },
  url: {
    format: 'uri',
    pattern: /^[A-Za-z][A-Za-z0-9+.-]*:/,
    refused: ['hostname', 'protocol', 'normalize'],
  },
  base64: { format: 'byte' },
  cidrv4: { format: 'cidr', pattern: 'zod' },
}

/** Formats that mean something else to the API server, or have a builder of `k`. */
const cures: Readonly<Record<string, string>> = {
  duration: 'means ISO 8601 in zod and Go durations in Kubernetes; use k.duration()',
  time: 'has no counterpart in Kubernetes; use z.string().regex(...)',
}

/** Checks that are no more than a pattern. */
const patterns: ReadonlySet<string> = new Set([
  'regex',
  'starts_with',
  'ends_with',
  'includes',
  'lowercase',
  'uppercase',
])

/** Converts the checks of a string. */
export function convertString(checks: readonly $ZodChecks[], context: SchemaContext): JsonSchema {
  return checks.reduce<JsonSchema>((node, check) => addCheck(node, check, context), { type: 'string' })
}

function addCheck(node: JsonSchema, { _zod: { def } }: $ZodChecks, context: SchemaContext): JsonSchema {
  switch (def.check) {
    case 'min_length':
      return { ...node, minLength: Math.max(node.minLength ?? 0, def.minimum) }
    case 'max_length':
      return { ...node, maxLength: Math.min(node.maxLength ?? def.maximum, def.maximum) }
    case 'length_equals':
      return { ...node, minLength: def.length, maxLength: def.length }
    case 'string_format':
      return addFormat(node, def, context)
    default:
      return context.refuse(def.check, 'cannot be checked by the API server; leave it out')
  }
}

function addFormat(node: JsonSchema, def: $ZodCheckStringFormatDef, context: SchemaContext): JsonSchema {
  if (patterns.has(def.format)) return addOwnPattern(node, def, context)
  const format = Object.hasOwn(formats, def.format) ? formats[def.format] : undefined
  const name = `format ${def.format}`
  if (format === undefined || node.format !== undefined) {
    return context.refuse(
      name,
      cures[def.format] ?? 'is not checked by the API server; use z.string().regex(...)',
    )
  }
  const options: Readonly<Record<string, unknown>> = { ...def }
  const refused = format.refused?.filter((option) => isSet(options[option])) ?? []
  if (refused.length > 0) {
    return context.refuse(
      `${name} with ${refused.join(', ')}`,
      'is not checked by the API server; use .regex(...)',
    )
  }
  const pattern = def.format === 'datetime' ? dateTimePattern(options) : narrowingPattern(format, def)
  const formatted = { ...node, format: format.format }
  return pattern ? addPattern(formatted, pattern, context) : formatted
}

const isSet = (option: unknown) => option !== undefined && option !== null && option !== false

function narrowingPattern({ pattern }: KnownFormat, def: $ZodCheckStringFormatDef): RegExp | undefined {
  return pattern === 'zod' ? def.pattern : pattern
}

/** The server's date-time allows lower case letters, and any offset. */
function dateTimePattern({ offset }: Readonly<Record<string, unknown>>): RegExp {
  return offset === true ? /^[0-9TZ:.+-]*$/ : /^[0-9T:.-]*Z$/
}

function addOwnPattern(node: JsonSchema, def: $ZodCheckStringFormatDef, context: SchemaContext): JsonSchema {
  if ('position' in def && def.position !== undefined) {
    return context.refuse('includes with a position', 'has no counterpart in Kubernetes; use .regex(...)')
  }
  return def.pattern ? addPattern(node, def.pattern, context) : node
}

/** Puts the first pattern into the node itself and further ones into `allOf`, so that all of them hold. */
function addPattern(node: JsonSchema, pattern: RegExp, context: SchemaContext): JsonSchema {
  const problem = patternProblem(pattern)
  if (problem !== undefined) return context.refuse(`pattern ${String(pattern)}`, problem)
  if (node.pattern === undefined) return { ...node, pattern: pattern.source }
  return { ...node, allOf: [...(node.allOf ?? []), { pattern: pattern.source }] }
}
