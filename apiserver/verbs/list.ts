import type { ApiError } from '../../sdk/engine/kube/error.js'
import type { Page } from '../output/page.js'
import { badRequest, expired, failure } from '../request/status.js'
import type { ResourceRequest } from '../server/context.js'
import type { Entry } from '../store/entry.js'
import type { ReadableCollection } from '../store/readable.js'
import { readToken, type Start, writeToken } from './continue-token.js'
import { checkRevision, type ListOptions } from './list-options.js'
import { listQueryOf } from './list-query.js'
import type { Selection } from './selection.js'

/** Lists a collection as a whole or page by page; all pages of one list have the same revision. */
export function list(request: ResourceRequest, query = listQueryOf(request, 'list')): Page {
  const { reads, resource } = request
  const { selection, options } = query
  checkRevision(options.resourceVersion, 'list')
  const collection = reads.collection(resource.storage)
  // The state of one object at an exact revision is read from storage.
  const isExactOne = selection.selectsOneName && options.resourceVersionMatch === 'Exact'
  const isCached = resource.rules.read?.isCached !== false && !isExactOne
  const start = startOf(options, { current: reads.revision, collection, isCached })
  const isCurrent = start.revision === reads.revision
  const entries = entriesAt(collection, selection, { ...start, isCurrent })
  return cutPage(entries, {
    selection,
    revision: start.revision,
    // The watch cache has all objects of version 0 at hand, and ignores the limit.
    limit: isCached && options.resourceVersion === '0' ? 0 : options.limit,
    remaining: (last, rest) => {
      // With selectors the real server does not count the remaining objects.
      if (selection.hasSelectors) return undefined
      return isCurrent ? collection.countAfter(selection.prefix, last) : countOf(rest)
    },
  })
}

function startOf(options: ListOptions, { current, collection, isCached }: ListSource): Start {
  const requested = Number(options.resourceVersion || '0')
  if (options.continueToken !== '') {
    const start = startOfContinued(options.continueToken, { current, collection, isCached })
    if (requested === 0) return start
    throw badRequest('specifying resource version is not allowed when using continue')
  }
  if (requested > current) throw tooLargeRevisionError(requested, current, isCached)
  const { resourceVersionMatch: match, limit } = options
  // A page of a revision has exactly that revision, unless the query says otherwise.
  const isExact = match === 'Exact' || (match === '' && limit > 0 && requested > 0)
  if (!isExact) return { revision: current, after: '' }
  if (requested < collection.compactedRevision) {
    throw expired('The resourceVersion for the provided list is too old.')
  }
  return { revision: requested, after: '' }
}

/** 504: the server has not reached that revision yet; a cache may reach it a second later. */
export function tooLargeRevisionError(requested: number, current: number, isCached = true): ApiError {
  const details = {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    ...(isCached ? { retryAfterSeconds: 1 } : {}),
  }
  const message = `Timeout: Too large resource version: ${requested}, current: ${current}`
  return failure(504, message, { reason: 'Timeout', details })
}

/**
 * The revision in a continue token that ignores later changes; `pkg/storage/etcd3/errors.go` of
 * k8s.io/apiserver.
 */
const inconsistentRevision = -1

const continueExpired =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list ' +
  'without the continue parameter, or use the continue token in this response to retrieve the remainder of the ' +
  'results. Continuing with the provided token results in an inconsistent list - objects that were created, ' +
  'modified, or deleted between the time the first chunk was returned and now may show up in the list.'

interface ListSource {
  readonly current: number
  readonly collection: ReadableCollection
  readonly isCached?: boolean | undefined
}

function startOfContinued(token: string, { current, collection, isCached }: ListSource): Start {
  const { revision, after } = readToken(token)
  if (revision < 0) return { revision: current, after }
  if (revision > current) throw tooLargeRevisionError(revision, current, isCached)
  if (revision >= collection.compactedRevision) return { revision, after }
  const refusal = expired(continueExpired)
  Object.assign(refusal.status, { metadata: { continue: writeToken(inconsistentRevision, after) } })
  throw refusal
}

interface ReadPosition extends Start {
  readonly isCurrent: boolean
}

function* entriesAt(
  collection: ReadableCollection,
  selection: Selection,
  { revision, isCurrent, after }: ReadPosition,
): Generator<Entry> {
  const source = isCurrent ? collection.scan(selection.prefix, after) : collection.snapshotAt(revision)
  for (const entry of source) {
    if (entry.key > after && entry.key.startsWith(selection.prefix)) yield entry
  }
}

interface PageOptions {
  readonly selection: Selection
  readonly revision: number
  /** 0 for no limit. */
  readonly limit: number
  /** The number of objects after the page, of which `rest` are all but the first. */
  readonly remaining: (last: string, rest: Iterator<Entry>) => number | undefined
}

/** A full page has a continue token if any object comes after it, selected or not. */
function cutPage(candidates: Iterator<Entry>, { selection, revision, limit, remaining }: PageOptions): Page {
  const metadata: Page['metadata'] = { resourceVersion: String(revision) }
  const entries: Entry[] = []
  for (let next = candidates.next(); next.done !== true; next = candidates.next()) {
    if (limit === 0 || entries.length < limit) {
      if (selection.matches(next.value.object)) entries.push(next.value)
      continue
    }
    const last = entries.at(-1)?.key ?? ''
    metadata.continue = writeToken(revision, last)
    const count = remaining(last, candidates)
    if (count !== undefined) metadata.remainingItemCount = count
    break
  }
  return { entries, metadata }
}

/** The number of the remaining entries, plus one for the entry that was already read. */
function countOf(rest: Iterator<Entry>): number {
  let count = 1
  while (rest.next().done !== true) count++
  return count
}
