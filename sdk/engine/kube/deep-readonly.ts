/**
 * An object that must not be changed at any depth: the SDK hands out frozen objects. It is assignable to `T`, so
 * `const copy: ConfigMap = structuredClone(virtual)` is a copy that may be changed.
 *
 * The type is a union with `T` itself, so that an object of the caller is assignable, also in code that is generic in
 * `T`. TypeScript refuses a write to a member that is read-only in a part of a union.
 *
 * Lists are not `readonly` in the type, because a `readonly` list is not assignable to a parameter of a list type. A
 * write to a list fails at run time.
 */
export type DeepReadonly<T> =
  | T
  | (T extends (infer Item)[]
      ? DeepReadonly<Item>[]
      : T extends object
        ? { readonly [Member in keyof T]: DeepReadonly<T[Member]> }
        : T)

/** Returns the object as its plain type, for code that reads it and puts parts of it into new objects. */
export function asItsType<T>(object: DeepReadonly<T>): T {
  return object as T
}
