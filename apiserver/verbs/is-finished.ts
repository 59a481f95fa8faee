import { fieldAt, type OpenObject } from '../base/object.js'
import { namespaceFinalizer } from '../kinds/namespace.js'

/** Whether nothing keeps a deleted object. */
export function isFinished(object: OpenObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds !== 0) return false
  const specFinalizers = fieldAt(object, 'spec', 'finalizers')
  const holdsNamespace = Array.isArray(specFinalizers) && specFinalizers.includes(namespaceFinalizer)
  return finalizers.length === 0 && !holdsNamespace
}
