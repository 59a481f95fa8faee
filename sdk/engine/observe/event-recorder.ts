import type { KubeObject } from '../kube/object.js'

/** Optional details of an Event. */
export interface EventDetails {
  /** The step that the controller took or tried, as one CamelCase word; default none. */
  action?: string
  /** A second object that the Event is about, such as an owned object; default none. */
  related?: KubeObject
}

/**
 * Tells the users of an object what happened to it, as Kubernetes Events. Recording never throws and never
 * waits: an Event that cannot be written is logged and forgotten.
 */
export interface EventRecorder {
  /**
   * Records that something needs a person's attention; `reason` is one CamelCase word. The message must not hold a
   * Secret's data.
   */
  warning(object: KubeObject, reason: string, message: string, details?: EventDetails): void
  /** Records that something worth knowing succeeded. */
  normal(object: KubeObject, reason: string, message: string, details?: EventDetails): void
}

/** Records nothing. */
export const noEvents: EventRecorder = { warning: () => {}, normal: () => {} }
