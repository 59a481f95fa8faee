import { setMember } from './json-object.js'
import type { Json } from './object.js'

/**
 * The slow, exact way to read and write JSON, used when the engine's own way would lose something. Both
 * directions keep their own stack, so depth costs memory only. `json.ts` decides when they are needed.
 */

interface OpenContainer {
  readonly container: Json[] | Record<string, Json>
  /** The member name that waits for its value; objects only. */
  key: string | undefined
}

/** Reads a text that is known to be valid JSON; integers that a double cannot hold become `bigint`. */
export function parseWithBigints(text: string): Json | undefined {
  const root: Json[] = []
  const open: OpenContainer[] = [{ container: root, key: undefined }]
  for (let position = 0; position < text.length; ) {
    const char = text.charAt(position)
    if (char === '{' || char === '[') open.push(openInside(open.at(-1), char))
    else if (char === '}' || char === ']') open.pop()
    else if (!' \t\r\n,:'.includes(char)) {
      const end = endOfScalar(text, position)
      place(open.at(-1), parseScalar(text.slice(position, end)))
      position = end
      continue
    }
    position++
  }
  return root[0]
}

function openInside(parent: OpenContainer | undefined, bracket: '{' | '['): OpenContainer {
  const container = bracket === '{' ? {} : []
  place(parent, container)
  return { container, key: undefined }
}

function place(parent: OpenContainer | undefined, value: Json): void {
  if (parent === undefined) return
  if (Array.isArray(parent.container)) parent.container.push(value)
  else if (parent.key === undefined) parent.key = String(value)
  else {
    setMember(parent.container, parent.key, value)
    parent.key = undefined
  }
}

function endOfScalar(text: string, start: number): number {
  if (text.charAt(start) === '"') return endOfString(text, start)
  let end = start
  while (end < text.length && !' \t\r\n,]}'.includes(text.charAt(end))) end++
  return end
}

function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1)
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1)
  return quote + 1
}

function isEscaped(text: string, quote: number): boolean {
  let slashes = 0
  while (text.charAt(quote - 1 - slashes) === '\\') slashes++
  return slashes % 2 === 1
}

function parseScalar(text: string): Json {
  const value: Json = JSON.parse(text)
  if (typeof value !== 'number' || !/^-?\d{16,}$/.test(text)) return value
  return Number.isSafeInteger(value) ? value : BigInt(text)
}

interface OpenWriter {
  readonly container: object
  /** Names of an object's members; `undefined` for an array. */
  readonly keys: readonly string[] | undefined
  readonly values: readonly unknown[]
  next: number
}

/** Writes what `JSON.stringify` would, a `bigint` as its digits, at any depth. */
export function stringifyStepwise(value: unknown): string {
  const text: string[] = []
  const open: OpenWriter[] = []
  const ancestors = new Set<object>()
  const write = (value: unknown): void => {
    const child = jsonOf(value)
    if (typeof child !== 'object' || child === null) return void text.push(scalarText(child))
    if (ancestors.has(child)) throw new TypeError('a value that contains itself cannot be written as JSON')
    ancestors.add(child)
    open.push(openWriter(child))
    text.push(Array.isArray(child) ? '[' : '{')
  }
  write(value)
  for (let writer = open.at(-1); writer !== undefined; writer = open.at(-1)) {
    if (writer.next < writer.values.length) {
      text.push(separator(writer))
      write(writer.values[writer.next++])
    } else {
      text.push(writer.keys === undefined ? ']' : '}')
      ancestors.delete(writer.container)
      open.pop()
    }
  }
  return text.join('')
}

/** The value that is written: `toJSON` of a Date, for example, makes a text of it. */
function jsonOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { toJSON } = value as { toJSON?: unknown }
  return typeof toJSON === 'function' ? (toJSON.call(value) as unknown) : value
}

function openWriter(container: object): OpenWriter {
  if (Array.isArray(container)) {
    return { container, keys: undefined, values: container.map((value) => value ?? null), next: 0 }
  }
  const members = Object.entries(container).filter(([, value]) => value !== undefined)
  return { container, keys: members.map(([key]) => key), values: members.map(([, value]) => value), next: 0 }
}

function separator({ keys, next }: OpenWriter): string {
  const comma = next === 0 ? '' : ','
  return keys === undefined ? comma : `${comma}${JSON.stringify(keys[next])}:`
}

function scalarText(value: unknown): string {
  if (typeof value === 'bigint') return value.toString()
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw new TypeError(`a value of type ${typeof value} cannot be written as JSON`)
  return text
}
