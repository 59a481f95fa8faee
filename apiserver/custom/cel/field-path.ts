import { additionalOf, type Schema } from '../../schema/structural-schema.js'

const token = /'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]]+/g

/** The schema at the end of a path. */
export interface PathEnd {
  /** The names along the path. */
  readonly names: readonly string[]
  readonly schema: Schema
}

/**
 * Follows a simple JSON path through a schema, for example `.spec.rows` or `['a.b']`. For an invalid path,
 * returns the error of `ValidFieldPath` in `pkg/apiserver/schema/cel/validation.go` of
 * k8s.io/apiextensions-apiserver v0.36.3.
 */
export function followPath(root: Schema, path: string, allowsBrackets = true): PathEnd | string {
  const tokens = path.match(token) ?? []
  const names: string[] = []
  let schema = root
  while (tokens.length > 0) {
    const name = nextName(tokens, allowsBrackets)
    if (typeof name !== 'object') return name
    const below = schemaBelow(schema, name.name)
    if (below === undefined) return 'does not refer to a valid field'
    names.push(name.name)
    schema = below
  }
  return { names, schema }
}

/** Takes the tokens of one step, or returns the error. */
function nextName(tokens: string[], allowsBrackets: boolean): { readonly name: string } | string {
  const beginning = tokens.shift() ?? ''
  if (beginning !== '.' && beginning !== '[') return `expected [ or . but got: ${beginning}`
  if (beginning === '[' && !allowsBrackets) return 'array notation is not allowed'
  const name = tokens.shift()
  if (name === undefined) return 'unexpected end of JSON path'
  if (beginning === '.') return { name }
  if (!/^'.*'$/s.test(name)) return `expected single quoted string but got ${name}`
  const nextToken = tokens.shift()
  if (nextToken === undefined) return 'unexpected end of JSON path'
  return nextToken === ']' ? { name: unescaped(name.slice(1, -1)) } : `expected ] but got ${nextToken}`
}

const unescaped = (text: string) => text.replaceAll(/\\(.)/g, (_all, character: string) => character)

function schemaBelow(schema: Schema, name: string): Schema | undefined {
  const { properties } = schema
  if (properties === undefined) return additionalOf(schema)
  return Object.hasOwn(properties, name) ? properties[name] : undefined
}

/** A path in the format of error fields; `''` for an invalid path. */
export function normalizedPath(schema: Schema, path: string): string {
  const target = followPath(schema, path)
  return typeof target === 'string' ? '' : target.names.join('.')
}
