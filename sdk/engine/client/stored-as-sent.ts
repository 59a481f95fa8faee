import { jsonEqual, jsonEqualExcept } from '../kube/json.js'
import { ownMember } from '../kube/json-object.js'
import type { KubeObject, ObjectMeta } from '../kube/object.js'
import type { Patch } from './client.js'

type Members = Readonly<Record<string, unknown>>

/** Metadata that only the API server sets. A write contains it only as a precondition. */
const serverFields: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
  'selfLink',
] satisfies (keyof ObjectMeta | 'selfLink')[])

const typeAndMetadata: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])
const typeMetadataAndStatus: ReadonlySet<string> = new Set([...typeAndMetadata, 'status'])

/** The depth to which a patch is compared; deeper parts count as different. */
const maxDepth = 64

/**
 * Whether the API server stored a created or updated object as it was sent. A default, or a change by an admission
 * webhook, makes it another object. `status` counts if it was sent.
 */
export function isStoredAsSent(sent: KubeObject, stored: KubeObject): boolean {
  const notContent = 'status' in sent && sent.status !== undefined ? typeAndMetadata : typeMetadataAndStatus
  return (
    jsonEqualExcept(sent, stored, notContent) && jsonEqualExcept(sent.metadata, stored.metadata, serverFields)
  )
}

/**
 * Whether an object has what a merge patch or an apply asked for: each member of the patch, and no more elements of a
 * list. `false` for a patch of another type, whose result is not known.
 */
export function isStoredAsPatched(patch: Patch, stored: KubeObject): boolean {
  if (patch.type !== 'merge' && patch.type !== 'apply') return false
  const { metadata = {}, ...content } = patch.body as Members & { metadata?: Members }
  return (
    contains(stored.metadata as Members, withoutServerFields(metadata), 1) &&
    contains({ ...stored }, content, 0)
  )
}

function withoutServerFields(metadata: Members | ObjectMeta): Members {
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !serverFields.has(name)))
}

function contains(stored: unknown, expected: unknown, depth: number): boolean {
  if (depth > maxDepth) return false
  // `null` removes a member.
  if (expected === null || expected === undefined) return stored === undefined || stored === null
  if (Array.isArray(expected)) return hasElements(stored, expected, depth)
  return typeof expected === 'object' ? hasMembers(stored, expected, depth) : jsonEqual(stored, expected)
}

function hasElements(stored: unknown, expected: readonly unknown[], depth: number): boolean {
  if (!Array.isArray(stored) || stored.length !== expected.length) return false
  return expected.every((element, index) => contains(stored[index], element, depth + 1))
}

function hasMembers(stored: unknown, expected: object, depth: number): boolean {
  const members = Object.entries(expected)
  if (typeof stored !== 'object' || stored === null) return stored === undefined && members.length === 0
  return members.every(([name, value]) => contains(ownMember(stored, name), value, depth + 1))
}
