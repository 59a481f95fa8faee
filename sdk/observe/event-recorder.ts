import type { KubeObject } from '../kube/object.js'

/**
 * Tells the users of an object what happened to it, as Kubernetes Events. Recording never throws and never
 * waits: an Event that cannot be written is logged and forgotten.
 */
export interface EventRecorder {
  /** Something needs a person's attention; `reason` is one CamelCase word. The message must not hold a Secret's data. */
  warning(object: KubeObject, reason: string, message: string): void
  /** Something worth knowing went as it should. */
  normal(object: KubeObject, reason: string, message: string): void
}

/** Records nothing. */
export const noEvents: EventRecorder = { warning: () => {}, normal: () => {} }
