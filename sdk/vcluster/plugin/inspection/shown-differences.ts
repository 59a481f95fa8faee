import type { Difference } from '../../../engine/inspector/explanation-view.js'
import { formatFieldPath } from '../../../engine/kube/field-path.js'
import { stringifyJson } from '../../../engine/kube/json.js'
import { differences } from '../../../engine/kube/json-patch/differences.js'
import type { KubeObject } from '../../../engine/kube/object.js'

/** The options of the comparison; a deeper value is shown as a whole. */
const comparison = { lists: 'aligned', maxDepth: 12, maxCount: 100, nullIsAbsent: true } as const
const maxValueLength = 200

/** `status` belongs to each side; of the metadata only {@link comparedMetadata} is compared. */
const notCompared: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status'])
/** The parts of the metadata that a syncer decides; the API server sets the others. */
const comparedMetadata = ['labels', 'annotations'] as const

/** Options of {@link shownDifferences}. */
export interface ShownDifferencesOptions {
  /** Whether labels and annotations are compared, too; default false. */
  withMetadata?: boolean
}

/**
 * The fields in which an object differs from the wanted object; `status` and fields that the API server sets are not
 * compared.
 */
export function shownDifferences(
  wanted: KubeObject,
  found: KubeObject,
  { withMetadata = false }: ShownDifferencesOptions = {},
): Difference[] {
  const content = (object: KubeObject) => ({
    ...(withMetadata && { metadata: metadataOf(object) }),
    ...Object.fromEntries(Object.entries(object).filter(([field]) => !notCompared.has(field))),
  })
  return differences(content(wanted), content(found), comparison).map(({ path, was, value }) => ({
    path: formatFieldPath(path),
    wanted: shown(was),
    found: shown(value),
  }))
}

function metadataOf({ metadata }: KubeObject): Record<string, unknown> {
  return Object.fromEntries(comparedMetadata.map((field) => [field, metadata[field] ?? {}]))
}

function shown(value: unknown): string | null {
  if (value === undefined) return null
  const text = stringifyJson(value)
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text
}
