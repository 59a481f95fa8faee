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
const readElsewhere: ReadonlySet<PathSegment> = new Set(['apiVersion', 'kind', 'metadata'])

/**
 * Reads a reference path. Throws `PluginError` `INVALID_FIELD` for an empty path, and for a field that is translated
 * anyway.
 */
export function parseReferencePath(path: ReferencePath): readonly PathSegment[] {
  const found = [...path.matchAll(segmentForm)]
  const segments = found.map(([, quoted, plain]) => quoted ?? plain ?? everyElement)
  const isWhole = found.map(([text]) => text).join('') === path
  const [first] = segments
  if (isWhole && typeof first === 'string' && (!readElsewhere.has(first) || isLabelOrAnnotation(segments)))
    return segments
  throw new PluginError(
    'INVALID_FIELD',
    `'${path}' is not a reference path: write for example spec.tls[*].secretName; of metadata, only a label or an annotation`,
  )
}

function isLabelOrAnnotation([root, map, key, ...rest]: readonly PathSegment[]): boolean {
  return (
    root === 'metadata' &&
    (map === 'labels' || map === 'annotations') &&
    typeof key === 'string' &&
    rest.length === 0
  )
}

/** Formats a path, with the indices of elements. */
export function formatPath(path: readonly (string | number)[]): string {
  return path
    .map((segment) =>
      typeof segment === 'number'
        ? `[${segment}]`
        : /[."[\]]/.test(segment)
          ? `."${segment}"`
          : `.${segment}`,
    )
    .join('')
    .replace(/^\./, '')
}
