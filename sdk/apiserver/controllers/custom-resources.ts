import { formatTime } from '../clock.js'
import type { ServerParts } from '../context.js'
import { servedVersions } from '../custom/served-versions.js'
import { fieldAt, type OpenObject, recordOf, textAt } from '../kinds/kind-rules.js'
import type { Change } from '../store/entry.js'

/** Where CustomResourceDefinitions are kept. */
export const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io'

/**
 * Serves what CustomResourceDefinitions define, from the moment they are written, and says so in their status
 * as the real server's establishing controller does.
 */
export function serveDefinition({ store, registry, clock }: ServerParts, change: Change): void {
  const object = change.entry.object as OpenObject
  const name = object.metadata.name ?? ''
  if (change.type === 'DELETED') {
    registry.setCustom(name, [])
    const collection = store.collection(name)
    for (const entry of [...collection.scan()]) store.remove(name, entry)
    return
  }
  registry.setCustom(name, servedVersions(object))
  if (isEstablished(object)) return
  const metadata = { ...object.metadata }
  const status = establishedStatus(object, formatTime(clock.date()))
  store.put(DEFINITIONS, change.entry.key, { ...object, metadata, status } as OpenObject)
}

function isEstablished(object: OpenObject): boolean {
  const conditions = fieldAt(object, 'status', 'conditions')
  return Array.isArray(conditions) && conditions.some((each) => textAt(each, 'type') === 'Established')
}

function establishedStatus(object: OpenObject, lastTransitionTime: string): object {
  const condition = (type: string, reason: string, message: string) => ({
    type,
    status: 'True',
    lastTransitionTime,
    reason,
    message,
  })
  return {
    ...recordOf(object.status),
    conditions: [
      condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
      condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
    ],
    acceptedNames: fieldAt(object, 'spec', 'names'),
  }
}
