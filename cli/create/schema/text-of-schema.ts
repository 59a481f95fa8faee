import type { OpenApiSchema } from './json-schema.js'
import { patternExample } from './pattern-example.js'

/** Texts that a schema accepts, without its CEL rules, the simplest first; may be empty. */
export function textsOf(schema: OpenApiSchema, variant: 1 | 2): string[] {
  const { format, minLength = 0, pattern } = schema
  const formatExample = format ? formats[format]?.(variant) : undefined
  if (formatExample !== undefined) return [formatExample]
  const word = words[variant - 1] ?? ''
  const padded = word.padEnd(minLength, 'x')
  const patternText = pattern === undefined ? undefined : patternExample(pattern, variant)
  const texts = [padded, ...commonTexts(word, variant), ...(patternText === undefined ? [] : [patternText])]
  return texts.filter((text) => accepts(schema, text))
}

const words = ['one', 'two']

/** Makes an example of each string format of OpenAPI and Kubernetes. */
const formats: Readonly<Record<string, (variant: 1 | 2) => string>> = {
  'date-time': (variant) => `2026-01-0${variant}T00:00:00Z`,
  date: (variant) => `2026-01-0${variant}`,
  byte: (variant) => (variant === 1 ? 'b25l' : 'dHdv'),
  duration: (variant) => `${variant}h0m0s`,
  ipv4: (variant) => `10.0.0.${variant}`,
  ipv6: (variant) => `2001:db8::${variant}`,
  cidr: (variant) => `10.${variant}.0.0/16`,
  uuid: (variant) => `00000000-0000-4000-8000-00000000000${variant}`,
  uri: (variant) => `https://${words[variant - 1]}.example.com`,
  email: (variant) => `${words[variant - 1]}@example.com`,
}

/** Typical values of Kubernetes fields: hosts, paths, versions, quantities and times. */
const commonTexts = (word: string, variant: 1 | 2) => [
  `${word}.example.com`,
  `/${word}`,
  `https://${word}.example.com`,
  `example.com/${word}`,
  `${word}@example.com`,
  `v${variant}`,
  `example.com/v${variant}`,
  `${variant}`,
  `${variant}h`,
  `${variant}Gi`,
  `v${variant}.0.0`,
  `10.0.0.${variant}`,
  variant === 1 ? 'One' : 'Two',
  word.toUpperCase(),
  `2026-01-0${variant}T00:00:00Z`,
]

function accepts({ pattern, minLength = 0, maxLength }: OpenApiSchema, text: string): boolean {
  const fitsLength = text.length >= minLength && text.length <= (maxLength ?? text.length)
  return fitsLength && (pattern === undefined || matches(pattern, text))
}

/** Whether a text matches a pattern; true for a pattern in Go's own syntax, which the API server checks. */
function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern).test(text)
  } catch {
    return true
  }
}
