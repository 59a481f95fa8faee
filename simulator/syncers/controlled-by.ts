import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { controlledBy } from './metadata-keys.js'

/** Whether another controller syncs the object: it has the label, or the annotation names another syncer. */
export function isControlledByOther({ metadata }: KubeObject, syncerName: string): boolean {
  const { labels, annotations } = metadata
  const syncer = annotations?.[controlledBy] || syncerName
  return syncer !== syncerName || Boolean(labels?.[controlledBy])
}
