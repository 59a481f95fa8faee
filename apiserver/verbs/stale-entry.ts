import type { AdmissionSteps } from '../admission/admission-attributes.js'
import type { OpenObject } from '../base/object.js'
import { whenConverted } from '../resources/converter.js'
import type { ResourceRequest } from '../server/context.js'
import type { Entry } from '../store/entry.js'

/** Error for a write that is based on an object which changed while webhooks were called. */
class StaleEntry extends Error {
  override readonly name = 'StaleEntry'
}

/** Throws a {@link StaleEntry} if an entry is no longer the state of its object. */
export function checkCurrent({ server, resource }: ResourceRequest, entry: Entry): void {
  if (server.store.collection(resource.storage).get(entry.key) !== entry) throw new StaleEntry()
}

/** Converts an object that is about to be stored, if it is stored in another version. Meanwhile `old` may change. */
export function* prepareToStore(
  request: ResourceRequest,
  object: OpenObject,
  old?: Entry,
): AdmissionSteps<void> {
  const { version, custom } = request.resource
  const converter = custom?.converter
  if (converter === undefined || converter.storageVersion === version) return
  yield { prepare: () => converter.prepare(object, version) }
  if (old !== undefined) checkCurrent(request, old)
}

/** Repeats a write, webhooks included, as long as its object changes meanwhile; so does a real server. */
export async function whileStale<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await whenConverted(attempt)
    } catch (error) {
      if (!(error instanceof StaleEntry)) throw error
    }
  }
}
