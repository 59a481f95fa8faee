import { frozenPart } from '../kube/frozen-parts.js'
import { cloneJson } from '../kube/json.js'
import type { KubeObject } from '../kube/object.js'

/**
 * Copies the answer to a write for a store, because the caller of the write may change the answer. The copy shares the
 * frozen parts of the sent object.
 */
export function storable<T extends KubeObject>(object: T, sent: KubeObject | undefined): T {
  const { managedFields: _, ...metadata } = object.metadata
  if (!sent) return cloneJson({ ...object, metadata })
  // Spread defines members and never assigns them, so a `__proto__` member stays a member.
  const copy = { ...object, metadata }
  const members = copy as object as Record<string, unknown>
  for (const name of Object.keys(members))
    members[name] = frozenPart(sent, name, members[name]) ?? cloneJson(members[name])
  return copy
}
