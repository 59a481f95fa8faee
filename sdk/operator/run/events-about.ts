import type { KubeObject } from '../../engine/kube/object.js'
import type { EventRecorder } from '../../engine/observe/event-recorder.js'
import type { ControllerContext } from '../controller/context.js'

/** The Events of a run, each about its object as it is then. */
export function eventsAbout(events: EventRecorder, object: () => KubeObject): ControllerContext['events'] {
  return {
    normal: (reason, message, details) => events.normal(object(), reason, message, details),
    warning: (reason, message, details) => events.warning(object(), reason, message, details),
  }
}
