/**
 * An object that must not be changed, nor anything in it: what the SDK hands out is frozen. It fits where `T` is asked
 * for, so `const copy: ConfigMap = structuredClone(virtual)` is a copy that may be changed.
 *
 * Lists stay lists that TypeScript would let grow, because a `readonly` list fits no parameter that asks for a list; a
 * write to one fails when it runs.
 */
export type DeepReadonly<T> = T extends (infer Item)[]
  ? DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Member in keyof T]: DeepReadonly<T[Member]> }
    : T

/** An object that is only read: one that was handed out, or one of the caller's own. */
export type Given<T> = T | DeepReadonly<T>

/** The object under its own type, for code that reads it and takes parts of it into new objects. */
export function asItsType<T>(object: Given<T>): T {
  return object as T
}
