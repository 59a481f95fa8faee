import { PluginError } from '../../../engine/kube/error.js'

/**
 * The path of a field that has references, in which `[*]` is every element of a list, or every member of a
 * map: `spec.tls[*].secretName`, `spec.pools[*].nodeName`. A member whose name has dots is quoted:
 * `spec."tls.key"`. Of metadata, a label or an annotation: `metadata.labels."kubernetes.io/service-name"`.
 */
export type ReferencePath = string

/** The path segment for every element. */
export const everyElement = Symbol('[*]')

/** A member's name, or every element. */
export type PathSegment = string | typeof everyElement

const segmentForm = /(?:^|\.)(?:"([^"]+)"|([^."[\]]+))|(\[\*\])/g
const untranslatedFields: ReadonlySet<PathSegment> = new Set(['apiVersion', 'kind', 'metadata'])

/**
 * Reads a reference path. Throws `PluginError` `INVALID_FIELD` for an empty path, and for a field that is translated
 * anyway.
 */
export function parseReferencePath(path: ReferencePath): readonly PathSegment[] {
  const matches = [...path.matchAll(segmentForm)]
  const segments = matches.map(([, quoted, plain]) => quoted ?? plain ?? everyElement)
  const isWhole = matches.map(([text]) => text).join('') === path
  const [first] = segments
  if (
    isWhole &&
    typeof first === 'string' &&
    (!untranslatedFields.has(first) || isLabelOrAnnotation(segments))
  )
    return segments
  throw new PluginError(
    'INVALID_FIELD',
    `'${path}' is not a reference path: write for example spec.tls[*].secretName; of metadata, only a label or an annotation`,
  )
}

function isLabelOrAnnotation([root, map, key, ...deeperSegments]: readonly PathSegment[]): boolean {
  return (
    root === 'metadata' &&
    (map === 'labels' || map === 'annotations') &&
    typeof key === 'string' &&
    deeperSegments.length === 0
  )
}

/** Formats the path of a value for a message, with the indices of elements: `spec.tls[0].secretName`. */
export function formatPath(path: readonly (string | number)[]): string {
  return path.map(formatSegment).join('').replace(/^\./, '')
}

function formatSegment(segment: string | number): string {
  if (typeof segment === 'number') return `[${segment}]`
  return /[."[\]]/.test(segment) ? `."${segment}"` : `.${segment}`
}
