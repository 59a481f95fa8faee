import type { KubeObject } from '../../engine/kube/object.js'
import type { WiredController } from '../controller/wired-controller.js'
import type { SharedPart } from '../status/status-draft.js'

/** The part of the status that is the controller's own, if it shares its kind with others. */
export function sharedPartOf<T extends KubeObject>({
  name,
  options,
}: WiredController<T>): SharedPart | undefined {
  const { shared, statusFields = [] } = options
  return shared ? { controller: name, names: statusFields } : undefined
}
