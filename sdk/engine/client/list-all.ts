import { isGone } from '../kube/error.js'
import type { KubeList, KubeObject } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'
import type { Client, ListAllOptions } from './client.js'

/** Reads all pages of a list, and starts again once if the list expires on the way. */
export async function listAll<T extends KubeObject>(
  client: Pick<Client, 'list'>,
  resource: Resource<T>,
  options: ListAllOptions,
): Promise<KubeList<T>> {
  try {
    return await allPages(client, resource, options)
  } catch (error) {
    if (!isGone(error)) throw error
    return allPages(client, resource, options)
  }
}

async function allPages<T extends KubeObject>(
  client: Pick<Client, 'list'>,
  resource: Resource<T>,
  options: ListAllOptions,
): Promise<KubeList<T>> {
  const limit = options.limit ?? 500
  let page = await client.list(resource, { ...options, limit })
  const items = page.items
  while (page.metadata.continue) {
    page = await client.list(resource, { ...options, limit, continue: page.metadata.continue })
    for (const item of page.items) items.push(item)
  }
  return { ...page, items }
}
