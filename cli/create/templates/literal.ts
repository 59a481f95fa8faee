const columns = 100

/**
 * JSON as a TypeScript literal: names are quoted only if necessary, and short values that begin at a column are on one
 * line.
 */
export function literal(value: unknown, indent = 0, column = indent): string {
  const flat = onOneLine(value)
  if (flat.length + column <= columns) return flat
  const memberIndent = ' '.repeat(indent + 2)
  const lines = entriesOf(value).map(([name, item]) => `${memberIndent}${name}${literal(item, indent + 2)},`)
  const [open, close] = brackets(value)
  return lines.length > 0 ? `${open}\n${lines.join('\n')}\n${' '.repeat(indent)}${close}` : flat
}

function onOneLine(value: unknown): string {
  if (typeof value === 'string') return stringLiteral(value)
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? `${value}n` : `${value}`
  const items = entriesOf(value).map(([name, item]) => name + onOneLine(item))
  if (Array.isArray(value)) return `[${items.join(', ')}]`
  return items.length > 0 ? `{ ${items.join(', ')} }` : '{}'
}

const brackets = (value: unknown) => (Array.isArray(value) ? ['[', ']'] : ['{', '}'])

function entriesOf(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.map((item) => ['', item])
  return Object.entries(value).map(([name, item]) => [`${nameOf(name)}: `, item])
}

/** A property's name. `__proto__` is written as a computed name, because otherwise it would set the prototype. */
function nameOf(name: string): string {
  if (name === '__proto__') return "['__proto__']"
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringLiteral(name)
}

/** A string literal in single quotes, or in double quotes if it contains single ones. */
export function stringLiteral(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  return escaped.includes("'") && !escaped.includes('"')
    ? `"${escaped}"`
    : `'${escaped.replaceAll("'", "\\'")}'`
}
