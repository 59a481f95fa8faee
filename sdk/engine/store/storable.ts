import { frozenPart } from '../kube/frozen-parts.js'
import { cloneJson } from '../kube/json.js'
import type { KubeObject } from '../kube/object.js'

/**
 * The answer to a write as a store holds it: a copy, because the caller of the write may change the answer. It shares
 * the frozen parts of what was sent.
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
