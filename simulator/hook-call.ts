/** A kind that a plugin has hooks for, and their types. */
export interface HookedKind {
  readonly apiVersion: string
  readonly kind: string
  /** The operations, such as `CreatePhysical` or `GetVirtual`. */
  readonly types: readonly string[]
}

/** A call of the hooks of a plugin by a vcluster process. */
export interface MutateRequest {
  readonly apiVersion: string
  readonly kind: string
  /** The object as JSON. */
  readonly object: string
  /** The operation: one of the types of {@link HookedKind}. */
  readonly type: string
}

/** The answer of the hooks of a plugin. */
export interface MutateResult {
  /** The changed object as JSON; without meaning unless `mutated`. */
  readonly object: string
  readonly mutated: boolean
}
