import { formatTime } from '../clock.js'
import type { ServerParts } from '../context.js'
import { fieldAt, type KindRules, type OpenObject, recordOf, textAt } from '../kinds/kind-rules.js'
import { ALL_VERBS, SCALE, STATUS, type Subresource } from '../resources/built-in.js'
import type { CustomColumn, ServedResource } from '../served-resource.js'
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

function servedVersions(object: OpenObject): ServedResource[] {
  const versions = fieldAt(object, 'spec', 'versions')
  if (!Array.isArray(versions)) return []
  return versions
    .filter((version) => fieldAt(version, 'served') === true)
    .map((version) => serve(object, version))
}

function serve(object: OpenObject, version: unknown): ServedResource {
  const group = textAt(object, 'spec', 'group')
  const names = recordOf(fieldAt(object, 'spec', 'names'))
  const plural = String(names.plural ?? '')
  return {
    group,
    version: textAt(version, 'name'),
    kind: String(names.kind ?? ''),
    plural,
    namespaced: textAt(object, 'spec', 'scope') === 'Namespaced',
    singular: String(names.singular ?? ''),
    listKind: String(names.listKind ?? ''),
    shortNames: textsOf(names.shortNames),
    categories: textsOf(names.categories),
    verbs: ALL_VERBS,
    subresources: subresourcesOf(version),
    storage: `${plural}.${group}`,
    rules: CUSTOM_RULES,
    custom: { columns: columnsOf(version) },
  }
}

const CUSTOM_RULES: KindRules = { generation: true, versionedUpdate: true }

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function subresourcesOf(version: unknown): Subresource[] {
  const asked = recordOf(fieldAt(version, 'subresources'))
  const parts: Subresource[] = []
  if (asked.status !== undefined) parts.push(STATUS)
  if (asked.scale !== undefined) parts.push(SCALE)
  return parts
}

function columnsOf(version: unknown): CustomColumn[] {
  const asked = fieldAt(version, 'additionalPrinterColumns')
  return Array.isArray(asked) ? (asked as unknown as CustomColumn[]) : []
}
