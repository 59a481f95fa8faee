import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { Owned } from './owned.js'
import type { Watched } from './watch.js'

/** Stands for the objects of no kind. */
export interface NoObject {
  readonly 'no kind': never
}

/**
 * The objects of the kinds in `owns` and `watches`; `never` if their types do not say which kinds these are. So the
 * context of every controller fits a parameter that names no kinds.
 */
export type ObjectsOf<Kind> = KubeObject extends ObjectOfEach<Kind> ? never : ObjectOfEach<Kind> | NoObject

/** The objects of the kind `T` and of the kinds in `owns` and `watches`; `never` if these are not known. */
export type DeclaredObjects<T extends KubeObject, Kind> = [ObjectsOf<Kind>] extends [never]
  ? never
  : NoInfer<T> | ObjectsOf<Kind>

/** The objects of a kind in `owns` or `watches`. */
export type ObjectOfEach<Kind> =
  Kind extends Owned<infer O>
    ? O
    : Kind extends Watched<infer O>
      ? O
      : Kind extends Resource<infer O>
        ? O
        : never

/** The compiler shows the name of the member for an apply of a kind that the controller does not own. */
export interface NotOwned {
  readonly 'Add the kind to owns of the controller, or pass { shared: true } if others own the object.': never
}

/** The compiler shows the name of the member for a kind that the controller does not declare. */
export interface NotDeclared {
  readonly 'Add the kind to owns or watches of the controller.': never
}

/** The resource of a kind among the owned ones; any if they are not known. */
export type OwnedResource<O extends KubeObject, Owned> = [Owned] extends [never]
  ? Resource<O>
  : Resource<O> & ([O] extends [Owned] ? unknown : NotOwned)

/** The resource of a kind among the declared ones; any if they are not known. */
export type DeclaredResource<O extends KubeObject, Declared> = [Declared] extends [never]
  ? Resource<O>
  : Resource<O> & ([O] extends [Declared] ? unknown : NotDeclared)

/** The type of a condition among the declared ones. The compiler shows the text if there are none. */
export type ConditionType<Condition extends string> = [Condition] extends [never]
  ? '(add the type to conditions of the kind)'
  : Condition
