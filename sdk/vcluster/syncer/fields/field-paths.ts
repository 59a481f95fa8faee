import { PluginError } from '../../../engine/kube/error.js'
import { cloneJson } from '../../../engine/kube/json.js'
import { isJsonObject, memberOf, setMember } from '../../../engine/kube/json-object.js'
import type { KubeObject } from '../../../engine/kube/object.js'

/** An object's members. */
export type Fields = Record<string, unknown>

/** A field's path, such as `spec.clusterIP`; a member whose name has dots is quoted: `data."tls.key"`. */
export type FieldPath = string

/**
 * Reads a field's path. Throws `PluginError` `INVALID_FIELD` for an empty path, and for a path in metadata or status,
 * which are not copied field by field.
 */
export function parseFieldPath(path: FieldPath): readonly string[] {
  const segments = [...path.matchAll(/(?:^|\.)(?:"([^"]+)"|([^."[\]]+))/g)]
  const names = segments.map(([, quoted, plain]) => quoted ?? plain ?? '')
  const isWhole = segments.map(([text]) => text).join('') === path && names.length > 0
  if (isWhole && !['apiVersion', 'kind', 'metadata', 'status'].includes(names[0] ?? '')) return names
  throw invalidPathError(path)
}

function invalidPathError(path: FieldPath): PluginError {
  return new PluginError(
    'INVALID_FIELD',
    `'${path}' is not the path of a copied field: write for example spec.clusterIP or data."tls.key", outside metadata and status; in excludeFields also spec.ports[*].nodePort`,
  )
}

/**
 * Reads the path of an excluded field, in which `[*]` means every element of a list: `spec.ports[*].nodePort`. Throws
 * as {@link parseFieldPath} does, and for a path that ends with `[*]`, because the list itself can be named.
 */
export function parseExcludedPath(path: FieldPath): ExcludedPath {
  const [first = '', ...rest] = path.split('[*]')
  const below = rest.map((part) => {
    if (!part.startsWith('.')) throw invalidPathError(path)
    return parseFieldPath(`spec${part}`).slice(1)
  })
  return { names: parseFieldPath(first), ...nestPaths(below) }
}

/** Turns the paths behind each `[*]` into one path inside the other. */
function nestPaths([names, ...rest]: readonly (readonly string[])[]): Pick<ExcludedPath, 'below'> {
  return names ? { below: { names, ...nestPaths(rest) } } : {}
}

/** The path of an excluded field. */
export interface ExcludedPath {
  /** The names of the members that lead to the field, or to a list. */
  readonly names: readonly string[]
  /** The field in each element of the list. */
  readonly below?: ExcludedPath
}

/**
 * A copy of `object` with the values of `kept` in these fields; fields that `kept` does not have are removed. Elements
 * of lists are compared by their member `name`, or else by their position. Nothing is mutated.
 */
export function withFieldsKept<T extends KubeObject>(object: T, paths: readonly ExcludedPath[], kept?: T): T {
  if (paths.length === 0) return object
  const result = cloneJson(object)
  for (const path of paths) keepField(result as unknown as Fields, path, kept)
  return result
}

/** Sets one field of `holder` to its value in `kept`, in each element of a list if the path has `[*]`. */
function keepField(holder: Fields, { names, below }: ExcludedPath, kept: unknown): void {
  const before = fieldAt(kept, names)
  if (!below) setField(holder, names, before)
  const list = below && fieldAt(holder, names)
  if (!below || !Array.isArray(list)) return
  const matching = matchingElements(before)
  for (const [index, element] of list.entries())
    if (isJsonObject(element)) keepField(element, below, matching(element, index))
}

/** Finds the element of a list that has the same `name`, or the same index if the element has no name. */
function matchingElements(list: unknown): (element: Fields, index: number) => unknown {
  if (!Array.isArray(list)) return () => undefined
  const elements: readonly unknown[] = list
  // The first one of a name counts.
  const byName = new Map(elements.toReversed().map((element) => [memberOf(element, 'name'), element]))
  return ({ name }, index) => (name === undefined ? elements[index] : byName.get(name))
}

/** The value at a path; `undefined` if there is none. */
export function fieldAt(object: unknown, path: readonly string[]): unknown {
  let value = object
  for (const name of path) value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return value
}

/**
 * Sets a field, or removes it for `undefined`. Creates the parents of a field that is set, but not of a field that is
 * removed.
 */
export function setField(fields: Fields, [name = '', ...rest]: readonly string[], value: unknown): void {
  const existing = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (rest.length === 0) {
    if (value === undefined) delete fields[name]
    else setMember(fields, name, cloneJson(value))
  } else if (isJsonObject(existing)) {
    setField(existing, rest, value)
  } else if (value !== undefined && existing === undefined) {
    const child: Fields = {}
    setMember(fields, name, child)
    setField(child, rest, value)
  }
}
