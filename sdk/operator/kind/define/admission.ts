import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'

/** The user that makes a request. */
export interface RequestUser {
  readonly name: string
  readonly uid?: string
  readonly groups: readonly string[]
}

/** The cached objects of a kind, for an admission webhook. */
export interface AdmissionStore<T extends KubeObject> {
  /** One object; `undefined` if the cache has none of that name. */
  get(key: { readonly namespace?: string; readonly name: string }): T | undefined
  /** The objects of a namespace. */
  in(namespace: string | undefined): readonly T[]
}

/** The request for which `default` is called. */
export interface DefaultContext {
  readonly operation: 'CREATE' | 'UPDATE'
  readonly user: RequestUser
  /** Whether the request is a trial: change nothing outside the object. */
  readonly dryRun: boolean
  /** Shows the user a warning, of up to 256 characters; the request goes on. */
  warn(message: string): void
}

/** The request for which `validate` is called. */
export interface ValidateContext extends Omit<DefaultContext, 'operation'> {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE'
  /** The cache of a kind that the program watches. */
  store<T extends KubeObject>(resource: Resource<T>): AdmissionStore<T>
}

/** Why `validate` refuses an object. */
export interface FieldProblem {
  /** For example `spec.disk.size`. */
  readonly path: string
  /** The problem of the value, for example `must not shrink`. */
  readonly message: string
}
