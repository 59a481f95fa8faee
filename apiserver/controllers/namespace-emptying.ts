import { fieldAt, type OpenObject, recordOf } from '../base/object.js'
import { namespaceFinalizer } from '../kinds/namespace.js'
import type { ServedResource } from '../resources/served-resource.js'
import type { ServerParts } from '../server/context.js'
import { deleteEntry } from '../verbs/delete.js'
import { replaceObject } from '../verbs/update.js'
import { internalRequest } from './internal-request.js'
import { type RemainingObject, reportRemaining } from './namespace-conditions.js'

/**
 * Deletes the objects of a namespace that is being deleted, then removes the namespace. Pods go first, and the other
 * objects stay as long as there are pods; `namespaced_resources_deleter.go` of Kubernetes v1.36.3.
 */
export function emptyNamespace(server: ServerParts, namespace: string): void {
  const entry = server.store.collection('namespaces').get(namespace)
  if (entry?.object.metadata.deletionTimestamp === undefined) return
  deleteContents(server, namespace, isPods)
  if (remainingIn(server, namespace, isPods).length > 0) {
    // The conditions count no objects before all pods are gone.
    reportRemaining(server, entry, [])
    return
  }
  deleteContents(server, namespace)
  const remaining = remainingIn(server, namespace)
  if (remaining.length > 0) {
    reportRemaining(server, entry, remaining)
    return
  }
  const heldBy = fieldAt(entry.object, 'spec', 'finalizers')
  const resource = server.registry.find('', 'v1', 'namespaces')
  if (resource === undefined || !Array.isArray(heldBy)) return
  const request = internalRequest(server, { resource, name: namespace, subresource: 'finalize' })
  const finalizers = heldBy.filter((finalizer) => finalizer !== namespaceFinalizer)
  const spec = { ...recordOf((entry.object as OpenObject).spec), finalizers }
  replaceObject(request, { old: entry, next: { ...entry.object, spec } as OpenObject, dryRun: false })
}

type ResourceFilter = (resource: ServedResource) => boolean

const isPods: ResourceFilter = ({ storage }) => storage === 'pods'
const isAny: ResourceFilter = () => true

function deleteContents(server: ServerParts, namespace: string, isIncluded = isAny): void {
  for (const resource of server.registry.stored()) {
    if (!resource.namespaced || !isIncluded(resource)) continue
    for (const entry of [...server.store.collection(resource.storage).scan(`${namespace}/`)]) {
      const { name = '', deletionTimestamp } = entry.object.metadata
      if (deletionTimestamp !== undefined) continue
      const request = internalRequest(server, { resource, namespace, name })
      deleteEntry(request, entry, { dryRun: false, propagation: 'Background' })
    }
  }
}

function remainingIn(server: ServerParts, namespace: string, isIncluded = isAny): RemainingObject[] {
  return server.registry.stored().flatMap((resource) => {
    if (!resource.namespaced || !isIncluded(resource)) return []
    const entries = [...server.store.collection(resource.storage).scan(`${namespace}/`)]
    return entries.map(({ object }) => ({ resource, finalizers: object.metadata.finalizers ?? [] }))
  })
}
