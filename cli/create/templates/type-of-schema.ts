import type { OpenApiSchema } from '../schema/json-schema.js'
import { stringLiteral } from './literal.js'

/** The TypeScript type of values of a schema, with the schema's descriptions. */
export function typeOfSchema(schema: OpenApiSchema, indent = 0): string {
  const { enum: choices, items = {} } = schema
  if (choices && choices.length > 0) return choices.map(literalType).join(' | ')
  if (schema['x-kubernetes-int-or-string']) return 'number | string'
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'number':
      return schema.type
    case 'integer':
      return 'number'
    case 'array':
      return `readonly ${parenthesized(typeOfSchema(items, indent))}[]`
    case 'object':
      return objectType(schema, indent)
    default:
      return 'unknown'
  }
}

const literalType = (value: unknown) =>
  typeof value === 'string' ? stringLiteral(value) : JSON.stringify(value)
const parenthesized = (type: string) => (/ \| |^readonly /.test(type) ? `(${type})` : type)

function objectType(schema: OpenApiSchema, indent: number): string {
  const { additionalProperties, required = [] } = schema
  const entries = Object.entries(schema.properties ?? {})
  if (typeof additionalProperties === 'object')
    return `Record<string, ${typeOfSchema(additionalProperties, indent)}>`
  if (entries.length === 0) return 'Record<string, unknown>'
  return membersType(entries, { required, indent })
}

/** An object type with these members, one per line. */
export function membersType(
  members: readonly [string, OpenApiSchema][],
  { required, indent }: { required: readonly string[]; indent: number },
): string {
  const memberIndent = ' '.repeat(indent + 2)
  const lines = members.flatMap(([name, schema]) => {
    const optionalMark = required.includes(name) ? '' : '?'
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringLiteral(name)
    const member = `${memberIndent}${key}${optionalMark}: ${typeOfSchema(schema, indent + 2)}`
    return schema.description ? [`${memberIndent}/** ${oneLine(schema.description)} */`, member] : [member]
  })
  return `{\n${lines.join('\n')}\n${' '.repeat(indent)}}`
}

const oneLine = (text: string) => text.trim().replaceAll(/\s+/g, ' ').replaceAll('*/', '*\\/')
