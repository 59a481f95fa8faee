import type { OpenObject } from '../base/object.js'
import type { ResourceRequest } from '../server/context.js'

/** A write as the admission plugins see it. Its objects have their stored form. */
export interface PluginWrite {
  readonly request: ResourceRequest
  readonly operation: 'CREATE' | 'UPDATE'
  /** A plugin that changes it replaces its `spec` or its annotations. */
  readonly object: OpenObject
  /** The stored object; absent for a create. */
  readonly old?: OpenObject
}

/**
 * One of the admission plugins that a kube-apiserver has by default.
 * https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/
 */
export interface AdmissionPlugin {
  /** The resources that it is about, as `plural` or `plural.group`. */
  readonly storages: readonly string[]
  /** Completes the object of a create. */
  mutate?(write: PluginWrite): void
  /** Throws 403 if the write is not allowed; may warn. */
  validate?(write: PluginWrite): void
}
