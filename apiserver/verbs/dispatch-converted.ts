import { ConvertedReads, ConvertedStore } from '../conversion/converted-store.js'
import type { ApiResponse } from '../request/request.js'
import type { Verb } from '../request/verb.js'
import { whenConverted } from '../resources/converter.js'
import type { ResourceRequest, ServerParts } from '../server/context.js'
import { dispatch } from './dispatch.js'

/**
 * Serves a request for objects that a webhook may have to convert. The request sees all objects in its own version. If
 * it reads an object that is not converted yet, it stops, the webhook converts the object, and the request is served
 * from the start.
 */
export async function dispatchConverted(request: ResourceRequest, verb: Verb): Promise<ApiResponse> {
  const convertedRequest = inRequestedVersion(request)
  if (convertedRequest === undefined) return dispatch(request, verb)
  return whenConverted(() => {
    // An earlier attempt may have added some.
    request.warnings.length = 0
    request.repeatedKeys.length = 0
    return dispatch(convertedRequest, verb)
  })
}

/** The request with stores in its version; undefined for a kind that no webhook converts. */
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
