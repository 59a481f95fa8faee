import { jsonEqual, parseJson, stringifyJson } from '../../sdk/kube/json.js'
import { isObject } from '../base/object.js'

/** One step of a path: from each value to those it leads to. */
type Step = (value: unknown) => readonly unknown[]

/** A path that was read once; answers what it leads to in an object, nothing where nothing is. */
export type JsonPath = (object: unknown) => readonly unknown[]

const TOKEN =
  /\.((?:\\.|[^.[\\])+)|\[(-?\d+)\]|\[\*\]|\.\*|\[(?:'([^']*)'|"([^"]*)")\]|\[\?\(@((?:\.[\w-]+)+)\s*(==|!=)\s*([^)]+)\)\]/y

/**
 * Reads a path as CustomResourceDefinitions write them: members, indices, `[*]` and filters such as
 * `.status.conditions[?(@.type=="Ready")].status`. Nothing for one that cannot be read. See
 * https://kubernetes.io/docs/reference/kubectl/jsonpath/
 */
export function parseJsonPath(path: string): JsonPath | undefined {
  const steps: Step[] = []
  // Its own, because a filter has a path inside the path.
  const token = new RegExp(TOKEN)
  while (token.lastIndex < path.length) {
    const match = token.exec(path)
    if (match === null) return undefined
    steps.push(stepOf(match))
  }
  return (object) => steps.reduce<readonly unknown[]>((values, step) => values.flatMap(step), [object])
}

function stepOf(match: RegExpExecArray): Step {
  const [token, name, index, quoted, doubleQuoted, filtered, operator, literal] = match
  if (index !== undefined) return elementAt(Number(index))
  if (filtered !== undefined) return filter(filtered, operator === '==', literal ?? '')
  const member = quoted ?? doubleQuoted ?? name?.replace(/\\(.)/g, '$1')
  if (member === undefined || token === '.*') return everyElement
  return (value) => (isObject(value) && Object.hasOwn(value, member) ? [value[member]] : [])
}

function elementAt(index: number): Step {
  return (value) => {
    if (!Array.isArray(value)) return []
    const element: unknown = value.at(index)
    return element === undefined ? [] : [element]
  }
}

const everyElement: Step = (value) => {
  if (Array.isArray(value)) return value
  return isObject(value) ? Object.values(value) : []
}

function filter(path: string, equal: boolean, literal: string): Step {
  const read = parseJsonPath(path)
  const wanted = literalOf(literal.trim())
  return (value) => {
    if (!Array.isArray(value) || read === undefined) return []
    return value.filter((element: unknown) => {
      const [found] = read(element)
      return found !== undefined && jsonEqual(found, wanted) === equal
    })
  }
}

function literalOf(text: string): unknown {
  if (text.startsWith("'")) return text.slice(1, -1)
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

/** A value as a column of texts shows it. */
export function textOfValue(value: unknown): string {
  if (value === null) return '<nil>'
  return typeof value === 'object' ? stringifyJson(value) : String(value)
}
