import { fieldAt, type OpenObject } from '../base/object.js'
import { NAMESPACE_FINALIZER } from '../kinds/namespace.js'

/** Whether nothing keeps a deleted object. */
export function isFinished(object: OpenObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds !== 0) return false
  const held = fieldAt(object, 'spec', 'finalizers')
  const holdsNamespace = Array.isArray(held) && held.includes(NAMESPACE_FINALIZER)
  return finalizers.length === 0 && !holdsNamespace
}
