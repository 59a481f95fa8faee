import type { ApiError } from '../../sdk/engine/kube/error.js'
import type { WatchLine, WatchWriter } from '../output/watch-line.js'
import { expired } from '../request/status.js'
import type { ResourceRequest } from '../server/context.js'
import type { Change } from '../store/entry.js'
import type { ReadableCollection } from '../store/readable.js'
import { tooLargeRevisionError } from './list.js'
import { checkRevision, type ListOptions } from './list-options.js'
import { listQueryOf } from './list-query.js'
import type { Selection } from './selection.js'
import { WatchStream } from './watch-stream.js'

/**
 * Opens a watch, which ends by its timeout, by the request's signal, or when the server closes. A watch from
 * before the history is opened as well, as on the real server; its only line is the error.
 */
export function watch(request: ResourceRequest, writer: WatchWriter): AsyncIterable<Uint8Array> {
  const { reads, resource, target } = request
  const { options, selection } = listQueryOf(request, 'watch')
  checkRevision(options.resourceVersion, 'watch')
  const collection = reads.collection(resource.storage)
  const start = startOf(options, reads.revision)
  const problem = revisionProblem(options, start, { collection, current: reads.revision })
  if (problem !== undefined) return singleLine(writer.error(problem.status))
  const chosen = target.name === '' ? selection : onlyNamed(selection, target.name)
  const initial = start.initial ? initialLines(collection, chosen) : []
  return new WatchStream({
    collection,
    cursor: collection.cursorAfter(start.after),
    initial: initial.map((line) => writer.line(line)),
    initialBookmark: start.initial && options.allowWatchBookmarks,
    read: (change) => (change.entry.revision > start.after ? lineFor(change, chosen) : undefined),
    writer,
    revision: () => reads.revision,
    after: start.after,
    ...bookmarksAndEnd(request, options),
  })
}

/** The options of a watch for its bookmarks and its end. */
function bookmarksAndEnd({ server, resource, signal }: ResourceRequest, options: ListOptions) {
  return {
    clock: server.clock,
    bookmarkIntervalMs: options.allowWatchBookmarks ? server.bookmarkIntervalMs : 0,
    timeoutMs: options.timeoutSeconds > 0 ? options.timeoutSeconds * 1000 : server.watchTimeoutMs,
    finishSignal: resource.custom?.retired,
    signals: signal === undefined ? [server.closing] : [server.closing, signal],
  }
}

/** The error of a watch from a revision that the server does not have yet, or no longer has. */
function revisionProblem(
  options: ListOptions,
  { after }: Start,
  { collection, current }: { readonly collection: ReadableCollection; readonly current: number },
): ApiError | undefined {
  const requested = Number(options.resourceVersion || '0')
  if (options.sendInitialEvents === true && requested > current)
    return tooLargeRevisionError(requested, current)
  const oldest = collection.compactedRevision
  return after < oldest ? expired(`too old resource version: ${after} (${oldest})`) : undefined
}

async function* singleLine(line: Uint8Array): AsyncGenerator<Uint8Array> {
  yield line
}

/** Restricts a selection to one object, for a watch by its URL (`/api/v1/watch` in older clients). */
function onlyNamed(selection: Selection, name: string): Selection {
  return {
    ...selection,
    hasSelectors: true,
    matches: (object) => object.metadata.name === name && selection.matches(object),
  }
}

interface Start {
  /** Whether existing objects are sent first, as ADDED. */
  readonly initial: boolean
  /** The revision after which changes follow. */
  readonly after: number
}

function startOf(options: ListOptions, current: number): Start {
  const requested = Number(options.resourceVersion || '0')
  if (options.sendInitialEvents === true) return { initial: true, after: current }
  if (requested === 0) return { initial: options.sendInitialEvents !== false, after: current }
  return { initial: false, after: requested }
}

function initialLines(collection: ReadableCollection, selection: Selection): WatchLine[] {
  const lines: WatchLine[] = []
  for (const entry of collection.scan(selection.prefix)) {
    if (selection.matches(entry.object)) lines.push({ type: 'ADDED', entry })
  }
  return lines
}

/**
 * The event of a change for a selection: an object that enters it is ADDED, and one that leaves it is
 * DELETED.
 */
function lineFor(change: Change, selection: Selection): WatchLine | undefined {
  const { entry, previous } = change
  if (!entry.key.startsWith(selection.prefix)) return undefined
  const was = previous !== undefined && selection.matches(previous.object)
  if (change.type === 'DELETED') return was ? { type: 'DELETED', entry } : undefined
  const is = selection.matches(entry.object)
  if (is) return { type: was ? 'MODIFIED' : 'ADDED', entry }
  return was ? { type: 'DELETED', entry: previous.at(entry.revision) } : undefined
}
