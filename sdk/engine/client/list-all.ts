import { isGone } from '../kube/error.js'
import type { KubeList, KubeObject } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'
import { AnswerTooLargeError } from '../transport/transport.js'
import { sizeOf } from './answer-size.js'
import type { Client, ListAllOptions, ListOptions } from './client.js'
import { listPath } from './path.js'

/** The default limit of all pages of a list together, in bytes; their objects need several times as much memory. */
const defaultMaxListBytes = 2 ** 30
/** The number of bytes that a smaller page counts as, so that a list of empty pages ends as well. */
const minPageBytes = 4096

/**
 * Reads all pages of a list, and starts again once if the list expires on the way. Rejects with `AnswerTooLargeError`
 * if the pages together have more than `maxBytes`, for example because a server names a next page each time.
 */
export async function listAll<T extends KubeObject>(
  client: Pick<Client, 'list'>,
  resource: Resource<T>,
  options: ListAllOptions,
  maxBytes = defaultMaxListBytes,
): Promise<KubeList<T>> {
  try {
    return await allPages(client, resource, options, maxBytes)
  } catch (error) {
    if (!isGone(error)) throw error
    return allPages(client, resource, options, maxBytes)
  }
}

async function allPages<T extends KubeObject>(
  client: Pick<Client, 'list'>,
  resource: Resource<T>,
  options: ListAllOptions,
  maxBytes: number,
): Promise<KubeList<T>> {
  let list: KubeList<T> | undefined
  let bytes = 0
  for await (const page of listPages(client, resource, options)) {
    bytes += list ? Math.max(sizeOf(page), minPageBytes) : sizeOf(page)
    if (list && bytes > maxBytes) throw tooLargeError(listPath(resource, options), maxBytes)
    const items: T[] = list?.items ?? []
    for (const item of page.items) items.push(item)
    list = { ...page, items }
  }
  return list ?? { metadata: {}, items: [] }
}

/** Reads a list page by page: its memory is that of one page. A list that never ends is ended by its caller. */
export async function* listPages<T extends KubeObject>(
  client: Pick<Client, 'list'>,
  resource: Resource<T>,
  options: ListOptions = {},
): AsyncGenerator<KubeList<T>, void, undefined> {
  let read = await pageOf(client, resource, { ...options, limit: options.limit ?? 500 })
  yield read.page
  while (read.page.metadata.continue) {
    const next = { ...options, limit: read.limit, continue: read.page.metadata.continue }
    read = await pageOf(client, resource, next)
    yield read.page
  }
}

/** A page, and its limit: an eighth of the given one while the page is too large for one answer. */
async function pageOf<T extends KubeObject>(
  client: Pick<Client, 'list'>,
  resource: Resource<T>,
  options: ListOptions & { limit: number },
): Promise<{ page: KubeList<T>; limit: number }> {
  for (let { limit } = options; ; limit = Math.ceil(limit / 8)) {
    try {
      return { page: await client.list(resource, { ...options, limit }), limit }
    } catch (error) {
      if (!(error instanceof AnswerTooLargeError) || limit <= 1) throw error
    }
  }
}

function tooLargeError(path: string, maxBytes: number): AnswerTooLargeError {
  return new AnswerTooLargeError({
    path,
    maxBytes,
    subject: 'the pages of the list together have',
    advice: 'select fewer objects by a namespace or by labels, or read the list page by page',
  })
}
