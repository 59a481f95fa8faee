import type { Builtin } from './builtin.js'
import type { EventsV1Event } from './gen/kubernetes.js'
import type { Resource } from './resource.js'

/**
 * The objects of events.k8s.io/v1 Event. The core group serves the same objects with other field names: `note` is
 * `message`, `regarding` is `involvedObject`.
 */
export type NewEvent = Builtin<EventsV1Event, 'Event'>

/** events.k8s.io/v1 Event. */
export const newEvents: Resource<NewEvent> = {
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  namespaced: true,
}
