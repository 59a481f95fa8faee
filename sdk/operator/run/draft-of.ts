import type { KubeObject } from '../../engine/kube/object.js'
import { declaredConditions, initialStatusOf } from '../controller/own-kind.js'
import type { WiredController } from '../controller/wired-controller.js'
import { StatusDraft } from '../status/status-draft.js'
import { sharedPartOf } from './shared-part.js'

/** The draft of an object's status at the beginning of a run of a controller. */
export function draftOf<T extends KubeObject>(wired: WiredController<T>, object: T): StatusDraft {
  const { options, resource } = wired
  return new StatusDraft(object, {
    declared: options.conditions ?? declaredConditions(resource),
    initial: initialStatusOf(resource),
    shared: sharedPartOf(wired),
  })
}
