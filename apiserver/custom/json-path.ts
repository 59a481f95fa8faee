import { jsonEqual, parseJson, stringifyJson } from '../../sdk/engine/kube/json.js'
import { isJsonObject } from '../../sdk/engine/kube/json-object.js'

/** One step of a path: maps each value to the values below it. */
type Step = (value: unknown) => readonly unknown[]

/** A parsed path; returns the values in an object, or none. */
export type JsonPath = (object: unknown) => readonly unknown[]

const tokenPattern =
  /\.((?:\\.|[^.[\\])+)|\[(-?\d+)\]|\[\*\]|\.\*|\[(?:'([^']*)'|"([^"]*)")\]|\[\?\(@((?:\.[\w-]+)+)\s*(==|!=)\s*([^)]+)\)\]/y

/**
 * Parses a path of a CustomResourceDefinition: members, indices, `[*]` and filters such as
 * `.status.conditions[?(@.type=="Ready")].status`. Undefined for an invalid path. See
 * https://kubernetes.io/docs/reference/kubectl/jsonpath/
 */
export function parseJsonPath(path: string): JsonPath | undefined {
  const steps: Step[] = []
  // A copy with its own `lastIndex`, because a filter parses another path meanwhile.
  const token = new RegExp(tokenPattern)
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
  return (value) => (isJsonObject(value) && Object.hasOwn(value, member) ? [value[member]] : [])
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
  return isJsonObject(value) ? Object.values(value) : []
}

function filter(path: string, equal: boolean, literal: string): Step {
  const read = parseJsonPath(path)
  const desired = literalOf(literal.trim())
  return (value) => {
    if (!Array.isArray(value) || read === undefined) return []
    return value.filter((element: unknown) => {
      const [elementValue] = read(element)
      return elementValue !== undefined && jsonEqual(elementValue, desired) === equal
    })
  }
}

/** The value that a filter compares with. Text that is not JSON is the value itself. */
function literalOf(text: string): unknown {
  if (text.startsWith("'")) return text.slice(1, -1)
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

/** The text of a value in a column of `kubectl get`. */
export function textOfValue(value: unknown): string {
  if (value === null) return '<nil>'
  return typeof value === 'object' ? stringifyJson(value) : String(value)
}
