import { fieldAt, type OpenObject } from '../base/object.js'
import { namespaceFinalizer } from '../kinds/namespace.js'

/** Whether nothing keeps a deleted object. */
export function isFinished(object: OpenObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds !== 0) return false
  const held = fieldAt(object, 'spec', 'finalizers')
  const holdsNamespace = Array.isArray(held) && held.includes(namespaceFinalizer)
  return finalizers.length === 0 && !holdsNamespace
}
