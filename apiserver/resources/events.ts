import type { ApiGroup } from './built-in.js'

/** The resources of `events.k8s.io`: the Events of the core group in another format. */
export const events: ApiGroup = {
  group: 'events.k8s.io',
  version: 'v1',
  resources: [{ kind: 'Event', plural: 'events', namespaced: true, shortNames: ['ev'], storage: 'events' }],
}
