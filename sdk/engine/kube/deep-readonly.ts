/**
 * An object that must not be changed, nor anything in it: what the SDK hands out is frozen. It fits where `T` is asked
 * for, so `const copy: ConfigMap = structuredClone(virtual)` is a copy that may be changed.
 *
 * It is a union with `T` itself, so an object of the caller's own fits, also in code that is generic in `T`. TypeScript
 * refuses a write to a member that is read-only in a part of a union.
 *
 * Lists stay lists that TypeScript would let grow, because a `readonly` list fits no parameter that asks for a list; a
 * write to one fails when it runs.
 */
export type DeepReadonly<T> =
  | T
  | (T extends (infer Item)[]
      ? DeepReadonly<Item>[]
      : T extends object
        ? { readonly [Member in keyof T]: DeepReadonly<T[Member]> }
        : T)

/** The object under its own type, for code that reads it and takes parts of it into new objects. */
export function asItsType<T>(object: DeepReadonly<T>): T {
  return object as T
}
