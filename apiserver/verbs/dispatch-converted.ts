import { ConvertedReads, ConvertedStore } from '../conversion/converted-store.js'
import type { ApiResponse } from '../request/request.js'
import type { Verb } from '../request/verb.js'
import { whenConverted } from '../resources/converter.js'
import type { ResourceRequest, ServerParts } from '../server/context.js'
import { dispatch } from './dispatch.js'

/**
 * Serves a request for objects that a webhook may have to convert. The request sees all objects in its own version; it
 * begins again each time that objects were converted for it.
 */
export async function dispatchConverted(request: ResourceRequest, verb: Verb): Promise<ApiResponse> {
  const view = inRequestedVersion(request)
  if (view === undefined) return dispatch(request, verb)
  return whenConverted(() => {
    request.warnings.length = 0
    request.repeatedKeys.length = 0
    return dispatch(view, verb)
  })
}

function inRequestedVersion(request: ResourceRequest): ResourceRequest | undefined {
  const { resource, reads } = request
  const { converter } = resource.custom ?? {}
  if (converter === undefined) return undefined
  const view = {
    storage: resource.storage,
    version: resource.version,
    converter,
    rereadEntries: new WeakMap(),
  }
  const store = new ConvertedStore(request.server.store, view)
  // Some members are getters, which a copy would call only once.
  const server: ServerParts = Object.create(request.server, { store: { value: store } })
  return { ...request, server, reads: new ConvertedReads(reads, view) }
}
