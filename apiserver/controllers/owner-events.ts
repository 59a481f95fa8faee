import type { OwnerReference } from '../../sdk/engine/kube/object.js'
import { apiVersionOf } from '../../sdk/engine/kube/resource.js'
import { formatTime } from '../base/clock.js'
import type { ServedResource } from '../resources/served-resource.js'
import type { ServerParts } from '../server/context.js'
import type { Entry } from '../store/entry.js'
import { createObject } from '../verbs/create.js'
import { internalRequest } from './internal-request.js'

const component = 'garbage-collector-controller'

/** Records that an object names an owner that is in another namespace. */
export function reportOwner(
  server: ServerParts,
  { resource, entry, owner }: { resource: ServedResource; entry: Entry; owner: OwnerReference },
): void {
  const events = server.registry.find('', 'v1', 'events')
  const { name = '', namespace = '', uid } = entry.object.metadata
  const space = namespace || 'default'
  if (events === undefined || server.find('namespaces', '', space)?.metadata.deletionTimestamp !== undefined)
    return
  const time = formatTime(server.clock.date())
  const request = internalRequest(server, { resource: events, namespace: space, caller: component })
  const event = {
    metadata: { name: `${name}.${server.identity.nameSuffix()}` },
    involvedObject: { kind: resource.kind, namespace, name, uid, apiVersion: apiVersionOf(resource) },
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef ${describeOwner(owner, namespace)} does not exist in namespace "${namespace}"`,
    source: { component },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
    type: 'Warning',
  }
  createObject(request, event, { dryRun: false })
}

function describeOwner({ apiVersion, kind, name, uid }: OwnerReference, namespace: string): string {
  return `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`
}
