import { jsonEqual, stringifyJson } from '../../kube/json.js'
import type { KubeObject } from '../../kube/object.js'
import type { Difference } from './model.js'

/** More than so many are not told. */
const maxDifferences = 100
/** So deep is looked into; below, a value is told as a whole. */
const maxDepth = 12
const maxValueLength = 200

/** Metadata is translated, and status is each side's own. */
const notCompared: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status'])

type Members = Record<string, unknown>

/** The fields in which two objects differ, beside metadata and status. */
export function differences(virtual: KubeObject, host: KubeObject): Difference[] {
  const found: Difference[] = []
  const content = (object: KubeObject) =>
    Object.fromEntries(Object.entries(object).filter(([field]) => !notCompared.has(field)))
  compare({ virtual: content(virtual), host: content(host), path: '', depth: 0 }, found)
  return found
}

interface Place {
  virtual: unknown
  host: unknown
  path: string
  depth: number
}

function compare({ virtual, host, path, depth }: Place, found: Difference[]): void {
  if (found.length >= maxDifferences || jsonEqual(virtual ?? null, host ?? null)) return
  if (depth === maxDepth || !isContainer(virtual) || !isContainer(host)) {
    found.push({ path, virtual: shown(virtual), host: shown(host) })
    return
  }
  for (const name of new Set([...Object.keys(virtual), ...Object.keys(host)])) {
    const below = { virtual: memberOf(virtual, name), host: memberOf(host, name) }
    compare({ ...below, path: pathOf(path, name, Array.isArray(virtual)), depth: depth + 1 }, found)
  }
}

const isContainer = (value: unknown): value is Members => typeof value === 'object' && value !== null

const memberOf = (object: Members, name: string) => (Object.hasOwn(object, name) ? object[name] : undefined)

function pathOf(path: string, name: string, isList: boolean): string {
  if (isList) return `${path}[${name}]`
  if (!/^[\w-]+$/.test(name)) return `${path}["${name}"]`
  return path === '' ? name : `${path}.${name}`
}

function shown(value: unknown): string | null {
  if (value === undefined) return null
  const text = stringifyJson(value)
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text
}
