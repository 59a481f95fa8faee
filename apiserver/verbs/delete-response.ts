import type { ResourceWriter } from '../output/writer.js'
import type { ApiResponse } from '../request/request.js'
import type { ServedResource } from '../resources/served-resource.js'
import type { ResourceRequest } from '../server/context.js'
import { remove } from './delete.js'

/** A delete returns the object if it is not gone yet, and for certain kinds. */
export async function deleteResponse(request: ResourceRequest, writer: ResourceWriter): Promise<ApiResponse> {
  const { resource, target } = request
  const { entry, gone } = await remove(request)
  if (!gone || resource.rules.delete?.returnsObject === true) return writer.entry(200, entry)
  return writer.value(200, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: deletedDetails(resource, target.name, entry.object.metadata.uid),
  })
}

function deletedDetails({ group, plural }: ServedResource, name: string, uid = ''): object {
  return group === '' ? { name, kind: plural, uid } : { name, group, kind: plural, uid }
}
