import type { OpenObject } from '../base/object.js'
import type { ResourceRequest } from '../server/context.js'

/** A write as the admission plugins see it. Its objects have their stored form. */
export interface PluginWrite {
  readonly request: ResourceRequest
  readonly operation: 'CREATE' | 'UPDATE'
  /** The new object. A plugin changes it by replacing `spec` or the annotations. */
  readonly object: OpenObject
  /** The stored object; absent for a create. */
  readonly old?: OpenObject
}

/**
 * One of the admission plugins that a kube-apiserver has by default.
 * https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/
 */
export interface AdmissionPlugin {
  /** The resources whose writes the plugin sees, as `plural` or `plural.group`. */
  readonly storages: readonly string[]
  /** Completes the object of a create. */
  mutate?(write: PluginWrite): void
  /** Throws 403 if the write is not allowed. May add warnings to the request. */
  validate?(write: PluginWrite): void
}
