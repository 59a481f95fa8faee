import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { ParseResult } from '../kind/define/kind.js'

/** The members that a kind made by `defineKind` has in addition to those of a resource. */
interface DefinedKind<T extends KubeObject> {
  readonly conditions: readonly { readonly type: string }[]
  readonly initialStatus: object
  parse(object: unknown): ParseResult<T>
}

/** Whether `defineKind` made a kind: then its objects are parsed, and its status is applied. */
export function isOwnKind<T extends KubeObject>(
  resource: Resource<T>,
): resource is Resource<T> & DefinedKind<T> {
  return 'conditions' in resource && 'parse' in resource
}

/** The condition types that a kind declares. */
export function declaredConditions<T extends KubeObject>(resource: Resource<T>): readonly string[] {
  return isOwnKind(resource) ? resource.conditions.map(({ type }) => type) : []
}

/** The values of the required fields of the status until a run sets them. */
export function initialStatusOf<T extends KubeObject>(resource: Resource<T>): object {
  return isOwnKind(resource) ? resource.initialStatus : {}
}

/** Parses an object by the schema of its kind. A kind not made by `defineKind` has none: every object is valid. */
export function parseAs<T extends KubeObject>(resource: Resource<T>, object: T): ParseResult<T> {
  return isOwnKind(resource) ? resource.parse(object) : { ok: true, object, statusProblems: [] }
}
