/**
 * The parts of a request's path and query; follows `pkg/endpoints/request/requestinfo.go` of k8s.io/apiserver v0.36.3.
 */
export interface RequestInfo {
  readonly path: string
  readonly query: URLSearchParams
  /** Set for paths below `/api/v1` or `/apis/<group>/<version>` that name a resource. */
  readonly target?: ResourceTarget
  /** Set for the deprecated paths below `/watch/`. */
  readonly isWatchPath?: true
}

/** A resource, one of its objects, or a part of one. */
export interface ResourceTarget {
  readonly group: string
  readonly version: string
  readonly plural: string
  /** `''` if the path has none. */
  readonly namespace: string
  /** `''` for a collection. */
  readonly name: string
  /** `''` for the object itself; deeper paths are joined by `/`. */
  readonly subresource: string
  /** Set for a path with an empty namespace, as in `namespaces//configmaps`. */
  readonly isBlankNamespace?: true
}

/** Parses a path with query. */
export function requestInfo(pathAndQuery: string): RequestInfo {
  const mark = pathAndQuery.indexOf('?')
  const path = mark < 0 ? pathAndQuery : pathAndQuery.slice(0, mark)
  const query = new URLSearchParams(mark < 0 ? '' : pathAndQuery.slice(mark + 1))
  const segments = segmentsOf(path)
  const at = segments[0] === 'api' ? 2 : 3
  if (segments[at] === 'watch' && segments[at + 1] !== undefined && /^apis?$/.test(segments[0] ?? '')) {
    query.set('watch', 'true')
    const watched = resourceTarget([...segments.slice(0, at), ...segments.slice(at + 1)])
    return watched === undefined ? { path, query } : { path, query, target: watched, isWatchPath: true }
  }
  const target = resourceTarget(segments)
  return target === undefined ? { path, query } : { path, query, target }
}

/**
 * The segments of a path. An empty one is ignored only at the end; elsewhere it leads to a 404. An encoded
 * slash counts as a slash.
 */
function segmentsOf(path: string): string[] {
  return decoded(path).replace(/^\//, '').replace(/\/$/, '').split('/')
}

function decoded(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch (error) {
    // A path that is not UTF-8 leads to a 404.
    if (error instanceof URIError) return path
    throw error
  }
}

function resourceTarget(segments: readonly string[]): ResourceTarget | undefined {
  if (segments[0] === 'api') return targetBelow({ group: '', version: segments[1] ?? '' }, segments.slice(2))
  if (segments[0] !== 'apis' || segments[1] === '') return undefined
  return targetBelow({ group: segments[1] ?? '', version: segments[2] ?? '' }, segments.slice(3))
}

function targetBelow(
  groupVersion: { group: string; version: string },
  rest: readonly string[],
): ResourceTarget | undefined {
  const [first, second = '', third, ...deeper] = rest
  if (first === undefined) return undefined
  // `namespaces/x/finalize` and `namespaces/x/status` are parts of the namespace, not resources inside it.
  const inNamespace = first === 'namespaces' && third !== undefined && !isNamespacePart(third, deeper)
  if (inNamespace) {
    const [name = '', ...subresource] = deeper
    const target = {
      ...groupVersion,
      plural: third,
      namespace: second,
      name,
      subresource: subresource.join('/'),
    }
    return second === '' ? { ...target, isBlankNamespace: true } : target
  }
  const subresource = third === undefined ? '' : [third, ...deeper].join('/')
  return { ...groupVersion, plural: first, namespace: '', name: second, subresource }
}

function isNamespacePart(segment: string, deeper: readonly string[]): boolean {
  return deeper.length === 0 && (segment === 'finalize' || segment === 'status')
}
