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

interface GroupVersion {
  readonly group: string
  readonly version: string
}

/** Parses a path with a query. */
export function requestInfo(pathAndQuery: string): RequestInfo {
  const mark = pathAndQuery.indexOf('?')
  const path = mark < 0 ? pathAndQuery : pathAndQuery.slice(0, mark)
  const query = new URLSearchParams(mark < 0 ? '' : pathAndQuery.slice(mark + 1))
  const segments = segmentsOf(path)
  const watched = withoutWatch(segments)
  if (watched !== undefined) query.set('watch', 'true')
  const target = resourceTarget(watched ?? segments)
  if (target === undefined) return { path, query }
  return { path, query, target, ...(watched !== undefined && { isWatchPath: true }) }
}

/** The segments of a deprecated path such as `/api/v1/watch/pods` without `watch`; undefined for other paths. */
function withoutWatch(segments: readonly string[]): string[] | undefined {
  const [root] = segments
  if (root !== 'api' && root !== 'apis') return undefined
  const watchAt = root === 'api' ? 2 : 3
  if (segments[watchAt] !== 'watch' || segments[watchAt + 1] === undefined) return undefined
  return [...segments.slice(0, watchAt), ...segments.slice(watchAt + 1)]
}

/**
 * The segments of a path. An empty one is ignored only at the end; elsewhere it leads to a 404. An encoded
 * slash counts as a slash.
 */
function segmentsOf(path: string): string[] {
  return decodePath(path).replace(/^\//, '').replace(/\/$/, '').split('/')
}

function decodePath(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch (error) {
    // A path that is not UTF-8 leads to a 404.
    if (error instanceof URIError) return path
    throw error
  }
}

/** The resource of a path below `/api/v1` or `/apis/<group>/<version>`; undefined for other paths. */
function resourceTarget(segments: readonly string[]): ResourceTarget | undefined {
  if (segments[0] === 'api') return targetBelow({ group: '', version: segments[1] ?? '' }, segments.slice(2))
  if (segments[0] !== 'apis' || segments[1] === '') return undefined
  return targetBelow({ group: segments[1] ?? '', version: segments[2] ?? '' }, segments.slice(3))
}

/** Reads `namespaces/<namespace>/<plural>[/<name>[/<subresource>]]`, or `<plural>[/<name>[/<subresource>]]`. */
function targetBelow(groupVersion: GroupVersion, segments: readonly string[]): ResourceTarget | undefined {
  const [plural, name = '', ...subresource] = segments
  if (plural === undefined) return undefined
  if (plural === 'namespaces' && subresource.length > 0 && !isNamespaceSubresource(subresource))
    return namespacedTarget(groupVersion, name, subresource)
  return { ...groupVersion, plural, namespace: '', name, subresource: subresource.join('/') }
}

function namespacedTarget(
  groupVersion: GroupVersion,
  namespace: string,
  [plural = '', name = '', ...subresource]: readonly string[],
): ResourceTarget {
  const target = { ...groupVersion, plural, namespace, name, subresource: subresource.join('/') }
  return namespace === '' ? { ...target, isBlankNamespace: true } : target
}

/** `namespaces/x/finalize` and `namespaces/x/status` are subresources of the namespace, not resources inside it. */
function isNamespaceSubresource([first = '', ...deeper]: readonly string[]): boolean {
  return deeper.length === 0 && (first === 'finalize' || first === 'status')
}
