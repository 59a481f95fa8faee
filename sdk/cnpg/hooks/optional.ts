/** The answer of a hook: nothing, a value, or a promise of either. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement has this type
export type Optional<T> = T | undefined | void | Promise<T | undefined | void>

/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>
