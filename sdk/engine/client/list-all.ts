import { isGone } from '../kube/error.js'
import type { KubeList, KubeObject } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'
import { AnswerTooLargeError } from '../transport/transport.js'
import { sizeOf } from './answer-size.js'
import type { Client, ListAllOptions } from './client.js'
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
  const limit = options.limit ?? 500
  let page = await client.list(resource, { ...options, limit })
  let bytes = sizeOf(page)
  const items = page.items
  while (page.metadata.continue) {
    page = await client.list(resource, { ...options, limit, continue: page.metadata.continue })
    bytes += Math.max(sizeOf(page), minPageBytes)
    if (bytes > maxBytes) throw tooLargeError(listPath(resource, options), maxBytes)
    for (const item of page.items) items.push(item)
  }
  return { ...page, items }
}

function tooLargeError(path: string, maxBytes: number): AnswerTooLargeError {
  return new AnswerTooLargeError({
    path,
    maxBytes,
    subject: 'the pages of the list together have',
    advice: 'select fewer objects by a namespace or by labels, or read the list page by page',
  })
}
