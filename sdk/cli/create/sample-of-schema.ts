import type { JsonSchema } from './json-schema.js'

/**
 * The least that a schema accepts, as far as it can be seen from types, bounds and choices; what a pattern or a rule asks
 * for cannot. `variant` 2 differs from 1 wherever there is a choice.
 */
export function sampleOfSchema(schema: JsonSchema, variant: 1 | 2): unknown {
  const { enum: choices, minimum = 1, items = {}, minItems = 0 } = schema
  if (choices && choices.length > 0) return choices[Math.min(variant, choices.length) - 1]
  if (schema['x-kubernetes-int-or-string']) return minimum + variant - 1
  switch (schema.type) {
    case 'boolean':
      return variant === 2
    case 'integer':
    case 'number':
      return minimum + variant - 1
    case 'string':
      return textFor(schema, variant)
    case 'array':
      return Array.from({ length: minItems }, () => sampleOfSchema(items, variant))
    default:
      return objectFor(schema, variant)
  }
}

function textFor({ format, minLength = 0 }: JsonSchema, variant: 1 | 2): string {
  if (format === 'date-time') return `2026-01-0${variant}T00:00:00Z`
  if (format === 'date') return `2026-01-0${variant}`
  if (format === 'byte') return variant === 1 ? 'b25l' : 'dHdv'
  return (variant === 1 ? 'one' : 'two').padEnd(minLength, 'x')
}

/** What must be there; and what may be, if it has a plain value and there is nothing else to change. */
function objectFor({ properties = {}, required = [] }: JsonSchema, variant: 1 | 2): object {
  const wanted = required.length > 0 ? required : plainOnes(properties).slice(0, 1)
  const found = wanted.flatMap((name) => {
    const schema = properties[name]
    return schema ? [[name, sampleOfSchema(schema, variant)]] : []
  })
  return Object.fromEntries(found)
}

const plain = ['string', 'integer', 'number', 'boolean']

function plainOnes(properties: Readonly<Record<string, JsonSchema>>): string[] {
  return Object.keys(properties).filter((name) => plain.includes(properties[name]?.type ?? ''))
}
