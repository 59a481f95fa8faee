import type { Difference } from '../../../engine/inspector/explanation-view.js'
import { jsonEqual, stringifyJson } from '../../../engine/kube/json.js'
import type { KubeObject } from '../../../engine/kube/object.js'

/** The most differences that are listed. */
const maxDifferences = 100
/** The depth of the comparison; a deeper value is shown as a whole. */
const maxDepth = 12
const maxValueLength = 200

/** `status` belongs to each side; of the metadata only {@link comparedMetadata} is compared. */
const notCompared: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status'])
/** The parts of the metadata that a syncer decides about; the API server sets the rest. */
const comparedMetadata = ['labels', 'annotations'] as const

type Members = Record<string, unknown>

/** Options of {@link differences}. */
export interface DifferencesOptions {
  /** Whether labels and annotations are compared, too; default false. */
  withMetadata?: boolean
}

/** The fields in which an object is not as it is wanted; `status` and what the API server sets are not compared. */
export function differences(
  wanted: KubeObject,
  found: KubeObject,
  { withMetadata = false }: DifferencesOptions = {},
): Difference[] {
  const differences: Difference[] = []
  const content = (object: KubeObject) => ({
    ...(withMetadata && { metadata: metadataOf(object) }),
    ...Object.fromEntries(Object.entries(object).filter(([field]) => !notCompared.has(field))),
  })
  compare({ wanted: content(wanted), found: content(found), path: '', depth: 0 }, differences)
  return differences
}

function metadataOf({ metadata }: KubeObject): Members {
  return Object.fromEntries(comparedMetadata.map((field) => [field, metadata[field] ?? {}]))
}

interface Comparison {
  wanted: unknown
  found: unknown
  path: string
  depth: number
}

function compare({ wanted, found, path, depth }: Comparison, differences: Difference[]): void {
  if (differences.length >= maxDifferences || jsonEqual(wanted ?? null, found ?? null)) return
  if (depth === maxDepth || !isContainer(wanted) || !isContainer(found)) {
    differences.push({ path, wanted: shown(wanted), found: shown(found) })
    return
  }
  for (const name of new Set([...Object.keys(wanted), ...Object.keys(found)])) {
    const below = { wanted: memberOf(wanted, name), found: memberOf(found, name) }
    compare({ ...below, path: pathOf(path, name, Array.isArray(wanted)), depth: depth + 1 }, differences)
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
