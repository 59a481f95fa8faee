/** Something that belongs to an object, with its own parts below it. */
export interface OwnedNode {
  /** Such as `Deployment default/web`, or `Release web`. */
  readonly name: string
  /** `exists` for a kind that does not say whether it is ready. */
  readonly health: 'ready' | 'not ready' | 'exists'
  /** Why it is not ready, or in which state it is; empty if there is nothing to say. */
  readonly text: string
  readonly owns: readonly OwnedNode[]
}
