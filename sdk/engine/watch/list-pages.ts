import type { KubeList, KubeObject } from '../kube/object.js'
import { apiVersionOf, formatResource } from '../kube/resource.js'
import type { Clock } from '../time/clock.js'
import { listProblem } from '../transport/expected-answer.js'
import { apiErrorOf, parseOrUndefined } from '../transport/refusal.js'
import { AnswerTooLargeError, type Transport, type TransportResponse } from '../transport/transport.js'
import { UnexpectedAnswerError } from '../transport/unexpected-answer.js'
import { acceptHeader, listResourceOf, scopePath, type WatchScope } from './watch-scope.js'

/** The longest time that decoding one page should block the event loop, in milliseconds. */
const decodeLimitMs = 10

/**
 * The largest page that is read, in bytes, unless it holds a single object: about as much as is decoded in that time.
 */
const maxPageBytes = 2 * 1024 * 1024
/** The factor by which the number of requested objects shrinks after a page that is too large. */
const shrinkFactor = 8
/** The factor by which the number of objects may grow from one page to the next. */
const growthFactor = 2

/** Options of {@link listPages}. */
export interface ListPagesOptions<T extends KubeObject> extends WatchScope<T> {
  transport: Transport
  clock: Clock
  /**
   * The maximum number of objects of a page. Fewer are requested after a page that was large, or took long to decode.
   */
  pageSize: number
  signal: AbortSignal
}

/** A page of a list, and the resourceVersion of the whole list. */
interface ListPage<T extends KubeObject> {
  items: T[]
  resourceVersion: string
  /** The number of objects after this page; undefined if the API server does not report it. */
  remaining: number | undefined
  /** The size of the page as text. */
  bytes: number
}

/**
 * Lists page by page. The request names no resourceVersion, which makes it a quorum read: objects that are not in the
 * list are gone. All pages show the same revision. Throws `ApiError`, with 410 if that revision expired on the way.
 *
 * See https://kubernetes.io/docs/reference/using-api/api-concepts/#retrieving-large-results-sets-in-chunks
 */
export async function* listPages<T extends KubeObject>(
  options: ListPagesOptions<T>,
): AsyncGenerator<ListPage<T>> {
  const { clock, resource } = options
  let limit = options.pageSize
  for (let token: string | undefined; token !== ''; ) {
    const page = await requestPage(options, { limit, ...(token && { continue: token }) })
    if (page === undefined) {
      limit = Math.max(1, Math.floor(limit / shrinkFactor))
      continue
    }
    const startedMs = clock.now()
    const { metadata, items } = readPage(options, page) as KubeList<T>
    const decoded = { tookMs: clock.now() - startedMs, bytes: page.body.byteLength }
    limit = Math.min(options.pageSize, nextLimit(limit, decoded))
    const { resourceVersion } = metadata
    if (!resourceVersion) throw new Error(`the list of ${formatResource(resource)} names no resourceVersion`)
    token = metadata.continue ?? ''
    const remaining = token === '' ? 0 : metadata.remainingItemCount
    const typedItems = (items ?? []).map((item) => withType(options, item))
    yield { items: typedItems, resourceVersion, remaining, bytes: page.body.byteLength }
  }
}

/**
 * How many objects to request after a page of `limit`, so that the next page just keeps the limits for size and
 * decoding time. If a page took long only because the machine was busy, later pages grow again.
 */
function nextLimit(limit: number, { tookMs, bytes }: { tookMs: number; bytes: number }): number {
  const growth = Math.min(growthFactor, decodeLimitMs / tookMs)
  const isTooLarge = growth > 1 && bytes * growth > maxPageBytes
  return isTooLarge ? limit : Math.max(1, Math.floor(limit * growth))
}

/** The JSON of a page; throws `UnexpectedAnswerError` for an answer that is not a list of the kind. */
function readPage(scope: WatchScope, page: TransportResponse): unknown {
  const list = parseOrUndefined(page.body)
  const problem = listProblem(listResourceOf(scope), list)
  if (problem === undefined) return list
  throw new UnexpectedAnswerError(`LIST ${formatResource(scope.resource)}`, page, problem)
}

/**
 * Requests a page; `undefined` if it is too large. The page of a single object has the limit of the transport, because
 * it cannot be smaller.
 */
async function requestPage<T extends KubeObject>(
  { transport, signal, ...scope }: ListPagesOptions<T>,
  parameters: { limit: number; continue?: string },
): Promise<TransportResponse | undefined> {
  const path = scopePath(scope, parameters)
  const headers = { accept: acceptHeader(scope, 'list') }
  const limitOptions = parameters.limit > 1 ? { maxBytes: maxPageBytes } : {}
  const request = transport.request({ method: 'GET', path, headers, signal, ...limitOptions })
  const answer = await request.catch((error: unknown) => {
    if (!(error instanceof AnswerTooLargeError) || parameters.limit === 1) throw error
  })
  if (answer === undefined) return undefined
  if (answer.status !== 200) throw apiErrorOf(`LIST ${formatResource(scope.resource)}`, answer)
  return answer
}

/** Adds the type to an item of a list, which the API server leaves out. */
function withType<T extends KubeObject>({ resource }: WatchScope<T>, item: T): T {
  item.apiVersion ??= apiVersionOf(resource)
  item.kind ??= resource.kind
  return item
}
