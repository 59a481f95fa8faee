/** Something that belongs to an object, with its own parts below it. */
export interface OwnedNode {
  /** The kind and the name, such as `Deployment default/web` or `Release web`. */
  readonly name: string
  /** `exists` for a kind that does not say whether it is ready. */
  readonly health: 'ready' | 'not ready' | 'exists'
  /** Why the object is not ready, or its state; empty if neither is known. */
  readonly text: string
  readonly owns: readonly OwnedNode[]
}
